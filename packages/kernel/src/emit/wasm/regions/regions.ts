import type {
  IfRegion,
  Loop,
  Node,
  ParamNode,
  RangeRegion,
  Region,
  ResultNode,
  SideBlock,
  WhileRegion,
} from '../../../form/nodes.ts';
import { isArray } from '../../../form/types.ts';
import { carryingBlocks } from '../../../form/walk.ts';
import { SCALAR_OPCODES, SIMD_OPCODES } from '../format/opcodes.ts';
import { controlOf } from '../shape.ts';
import { rowSumOf, writeRowSum } from './row-sums.ts';
import type { RegionWriter } from './writer.ts';

/** Maximum number of nodes in a branch side that is computed for all lanes, without testing whether any takes it. */
const CHEAP_NODES = 10;

interface Target {
  readonly result: ResultNode;
  readonly local: number;
}

interface CarriedLocal {
  readonly param: ParamNode;
  readonly nextValue: Node;
  readonly local: number;
}

/** Writes a branch or a loop. */
export function writeRegion(w: RegionWriter, node: Region): void {
  if (node.op === 'if') writeBranch(w, node);
  else if (node.op === 'range') writeRange(w, node);
  else writeWhile(w, node);
}

/** Pushes a value as a vector if `model` is kept as one, else as a scalar. */
function valueAs(w: RegionWriter, node: Node, model: Node): void {
  if (w.isVector(model)) w.vector(node);
  else w.scalar(node);
}

function writeBranch(w: RegionWriter, region: IfRegion): void {
  const { condition, then, otherwise } = region;
  const targets = w
    .resultsOf(region)
    .filter(({ type }) => !isArray(type))
    .map((result) => ({ result, local: w.local(w.typeOf(result)) }));
  if (w.isVector(condition)) writeDivergent(w, region, targets);
  else {
    w.scalar(condition);
    w.code.if();
    for (const side of [then, otherwise]) {
      if (side === otherwise) w.code.else();
      w.inScope(() => {
        w.block(side);
        for (const { result, local } of targets) {
          valueAs(w, side.results[result.position], result);
          w.code.set(local);
        }
        w.arrays.move(side);
      });
    }
    w.code.end();
  }
  for (const { result, local } of targets) w.keepIn(result, local);
}

/**
 * Writes a divergent branch: each side runs if any lane takes it, and results are selected lane by lane. A cheap side
 * runs first, for all lanes, so that no selection is needed if no lane takes the other.
 */
function writeDivergent(w: RegionWriter, region: IfRegion, targets: readonly Target[]): void {
  const { code } = w;
  w.vector(region.condition);
  const condition = w.local('v128');
  code.set(condition);
  const before = w.mask;
  const { then: yes, otherwise: no } = region;
  const order = isCheap(w, no) ? [no, yes] : [yes, no];
  order.forEach((side, position) => {
    const write = (): void =>
      w.inScope(() => {
        w.block(side);
        for (const { result, local } of targets) {
          const value = side.results[result.position];
          if (position === 0) w.vector(value);
          else {
            if (side === yes) w.vector(value);
            code.get(local);
            if (side === no) w.vector(value);
            code.get(condition);
            code.simd(SIMD_OPCODES.bitSelect);
          }
          code.set(local);
        }
        w.arrays.move(side);
      });
    if (isCheap(w, side)) {
      write();
      return;
    }
    if (before !== null) code.get(before);
    code.get(condition);
    if (side === no) code.simd(before === null ? SIMD_OPCODES.not : SIMD_OPCODES.andNot);
    else if (before !== null) code.simd(SIMD_OPCODES.and);
    w.mask = w.local('v128');
    code.tee(w.mask);
    code.simd(SIMD_OPCODES.anyTrue);
    code.if();
    write();
    code.end();
    w.mask = before;
  });
}

/** Allocates locals for a loop's carried values, with their initial values. */
function startLoop(w: RegionWriter, region: Loop): CarriedLocal[] {
  const { body, initial } = region;
  w.arrays.move(region);
  const carried = body.params
    .filter(({ type }) => !isArray(type))
    .map((param) => {
      valueAs(w, initial[param.position], param);
      const local = w.local(w.typeOf(param));
      w.code.set(local);
      return { param, nextValue: body.results[param.position], local };
    });
  for (const { param, local } of carried) {
    for (const block of carryingBlocks(region)) w.keepIn(block.params[param.position], local);
    for (const result of w.resultsOf(region)) if (result.position === param.position) w.keepIn(result, local);
  }
  return carried;
}

/** Updates the carried values of active lanes for the next iteration. */
function advance(w: RegionWriter, carried: readonly CarriedLocal[], active: number | null): void {
  const { code } = w;
  const changed = carried.filter(({ param, nextValue }) => param !== nextValue);
  for (const { param, nextValue, local } of changed) {
    valueAs(w, nextValue, param);
    if (active === null) continue;
    code.get(local);
    code.get(active);
    code.simd(SIMD_OPCODES.bitSelect);
  }
  for (const { local } of changed.reverse()) code.set(local);
}

function writeRange(w: RegionWriter, region: RangeRegion): void {
  const { code } = w;
  const { start, end, body } = region;
  const { counter } = body;
  const isParting = w.differs(start) || w.differs(end);
  const rows = isParting ? rowSumOf(w, region) : null;
  if (rows) {
    writeRowSum(w, rows);
    return;
  }
  const carried = startLoop(w, region);
  valueAs(w, start, counter);
  const counterLocal = w.name(counter);
  if (isParting) w.vector(end);
  else w.scalar(end);
  const endLocal = w.local(isParting ? 'v128' : 'i32');
  code.set(endLocal);
  const before = w.mask;
  const active = isParting ? w.local('v128') : null;
  code.block();
  code.loop();
  w.inScope(() => {
    if (active === null) {
      code.get(counterLocal);
      code.get(endLocal);
      code.byte(SCALAR_OPCODES.i32GeU);
      code.branchIf(1);
    } else {
      w.vector(counter);
      code.get(endLocal);
      code.simd(SIMD_OPCODES.i32x4LtU);
      if (before !== null) {
        code.get(before);
        code.simd(SIMD_OPCODES.and);
      }
      leaveUnlessAny(w, active);
    }
    w.block(body);
    w.arrays.move(body);
    advance(w, carried, active);
  });
  code.get(counterLocal);
  if (w.isVector(counter)) {
    w.constant(1);
    code.simd(SIMD_OPCODES.i32x4Add);
  } else {
    code.i32(1);
    code.byte(SCALAR_OPCODES.i32Add);
  }
  code.set(counterLocal);
  code.branch(0);
  code.end();
  code.end();
  w.mask = before;
}

/** Makes the vector on the stack the mask, and leaves the loop if no lane is active. */
function leaveUnlessAny(w: RegionWriter, active: number): void {
  const { code } = w;
  code.tee(active);
  code.simd(SIMD_OPCODES.anyTrue);
  code.byte(SCALAR_OPCODES.i32Eqz);
  code.branchIf(1);
  w.mask = active;
}

function writeWhile(w: RegionWriter, region: WhileRegion): void {
  const { code } = w;
  const { test, condition, body } = region;
  const carried = startLoop(w, region);
  const isParting = controlOf(region).some((c) => w.differs(c));
  const before = w.mask;
  let active: number | null = null;
  if (isParting) {
    active = w.local('v128');
    if (before === null) w.constant(-1);
    else code.get(before);
    code.set(active);
    w.mask = active;
  }
  code.block();
  code.loop();
  w.inScope(() => {
    w.block(test);
    if (active === null) {
      w.scalar(condition);
      code.byte(SCALAR_OPCODES.i32Eqz);
      code.branchIf(1);
    } else {
      w.vector(condition);
      code.get(active);
      code.simd(SIMD_OPCODES.and);
      leaveUnlessAny(w, active);
    }
    w.block(body);
    w.arrays.move(body);
    advance(w, carried, active);
  });
  code.branch(0);
  code.end();
  code.end();
  w.mask = before;
}

/** Returns whether a side of a branch costs less than testing whether any lane takes it. */
function isCheap(w: RegionWriter, side: SideBlock): boolean {
  const isPlain = side.nodes.every(({ op }) => op === 'const' || op === 'pure');
  return side.nodes.length <= CHEAP_NODES && isPlain && !w.arrays.isMoving(side) && !w.stores(side);
}
