import type { Block, Node, ScalarType } from '../kernel/form.ts';
import { isRegion } from '../kernel/form.ts';
import { carriedFrom } from '../kernel/simplify.ts';
import type { BoundKernel } from './bind.ts';
import { inlined } from './usage.ts';
import type { WasmType } from './wasm-encoder.ts';
import { Code } from './wasm-encoder.ts';
import type { ConstantPool, MemoryPlan } from './wasm-memory.ts';
import { constantBits } from './wasm-memory.ts';
import { SCALAR, SIMD } from './wasm-opcodes.ts';
import type { Operands } from './wasm-operations.ts';
import { scalarOperation, vectorOperation } from './wasm-operations.ts';
import type { Shape } from './wasm-shape.ts';
import { controlOf, LANES } from './wasm-shape.ts';
import type { WordOperands } from './wasm-words.ts';
import { Words } from './wasm-words.ts';

const BEGIN = 0;
const END = 1;
/** A side of a branch with no more nodes than this is computed whether a lane takes it or not. */
const CHEAP_SIDE = 10;

const scalarType = (type: ScalarType): WasmType => (type === 'f32' ? 'f32' : 'i32');

/** What is known within one block, and the locals that end with it. */
interface Scope {
  readonly locals: number[];
  readonly kept: Map<string, number>;
}

/**
 * Writes a bound kernel as a function `(begin, end)` over invocations, one after another (`lanes` 1) or `LANES` at a
 * time (`begin` and `end` multiples of it).
 *
 * Both come from one walk. A value that is the same in all lanes, or grows by a fixed stride from lane to lane, is
 * kept as one scalar; all others become vectors, of which there are none with one lane. Lanes that part at a branch
 * or loop are masked: values of lanes that do not take part are computed and dropped. What does not depend on the
 * invocation is found once, before the loop over invocations.
 */
export function writeKernel(
  kernel: BoundKernel,
  shapes: ReadonlyMap<Node, Shape>,
  plan: MemoryPlan,
  pool: ConstantPool,
  lanes: 1 | typeof LANES,
): Code {
  return new KernelWriter(kernel, shapes, plan, pool, lanes).write();
}

class KernelWriter implements Operands, WordOperands {
  readonly code = new Code(2);
  readonly kernelName: string;
  readonly #kernel: BoundKernel;
  readonly #shapes: ReadonlyMap<Node, Shape>;
  readonly #plan: MemoryPlan;
  readonly #pool: ConstantPool;
  readonly #lanes: number;
  readonly #words: Words;
  readonly #inline: Set<Node>;
  readonly #hoisted: ReadonlySet<Node>;
  /** Values that take part in operations on vectors. */
  readonly #spreads = new Set<Node>();
  readonly #results = new Map<Node, Node[]>();
  readonly #named = new Map<Node, number>();
  readonly #scopes: Scope[] = [];
  /** The lanes that take part, where not all do. */
  #mask: number | null = null;

  constructor(
    kernel: BoundKernel,
    shapes: ReadonlyMap<Node, Shape>,
    plan: MemoryPlan,
    pool: ConstantPool,
    lanes: number,
  ) {
    this.kernelName = kernel.name;
    this.#kernel = kernel;
    this.#shapes = shapes;
    this.#plan = plan;
    this.#pool = pool;
    this.#lanes = lanes;
    for (const node of shapes.keys()) {
      if (node.op !== 'result') continue;
      const [region] = node.args;
      const known = this.#results.get(region);
      if (known) known.push(node);
      else this.#results.set(region, [node]);
    }
    this.#hoisted = new Set(kernel.root.nodes.filter((n) => shapes.get(n)!.invariant && n.op !== 'const'));
    this.#inline = new Set(inlined(kernel));
    this.#nameHoisted();
    this.#words = new Words(
      this,
      plan,
      kernel,
      [...shapes.keys()].filter((n) => n.op === 'word'),
    );
  }

  /** Hoisted values that something within the loop over invocations uses are named, even if used once. */
  #nameHoisted(): void {
    const name = (node: Node): void => {
      if (this.#hoisted.has(node)) this.#inline.delete(node);
    };
    for (const node of this.#shapes.keys()) {
      if (!this.#hoisted.has(node)) node.args.forEach(name);
      if (this.#isVector(node)) for (const arg of node.args) this.#spreads.add(arg);
    }
    for (const { address, value } of this.#kernel.stores) [address, value].forEach(name);
  }

  write(): Code {
    const { code } = this;
    this.#inScope(() => {
      for (const node of this.#hoisted) if (!this.#inline.has(node)) this.#define(node);
      code.block();
      code.get(BEGIN);
      code.get(END);
      code.byte(SCALAR.i32GeU);
      code.branchIf(0);
      code.loop();
      this.#inScope(() => {
        this.#block(this.#kernel.root);
        this.#stores();
      });
      code.get(BEGIN);
      code.i32(this.#lanes);
      code.byte(SCALAR.i32Add);
      code.tee(BEGIN);
      code.get(END);
      code.byte(SCALAR.i32LtU);
      code.branchIf(0);
      code.end();
      code.end();
    });
    return code;
  }

  shape(node: Node): Shape {
    return this.#shapes.get(node)!;
  }
  #isVector = (node: Node): boolean => this.#lanes > 1 && this.shape(node).stride === null;
  #differs(node: Node): boolean {
    return this.#lanes > 1 && this.shape(node).stride !== 0;
  }
  #type(node: Node): WasmType {
    return this.#isVector(node) ? 'v128' : scalarType(node.type);
  }

  #inScope(write: () => void): void {
    const scope: Scope = { locals: [], kept: new Map() };
    this.#scopes.push(scope);
    write();
    this.#scopes.pop();
    for (const local of scope.locals) this.code.release(local);
  }
  #local(type: WasmType): number {
    const local = this.code.local(type);
    this.#scopes.at(-1)!.locals.push(local);
    return local;
  }
  withLocal(type: WasmType, write: (local: number) => void): void {
    const local = this.code.local(type);
    this.code.set(local);
    write(local);
    this.code.release(local);
  }
  kept(key: string, type: 'i32' | 'v128', write: () => void): number {
    for (let k = this.#scopes.length - 1; k >= 0; k--) {
      const known = this.#scopes[k].kept.get(key);
      if (known !== undefined) return known;
    }
    write();
    const local = this.#local(type);
    this.code.set(local);
    this.#scopes.at(-1)!.kept.set(key, local);
    return local;
  }

  /** Puts a value on the stack in its own form. */
  #value(node: Node): void {
    if (this.#isVector(node)) this.vector(node);
    else this.scalar(node);
  }

  scalar(node: Node): void {
    const { code } = this;
    const local = this.#named.get(node);
    if (local !== undefined) code.get(local);
    else if (node.op === 'const') {
      if (node.type === 'f32') code.f32(node.value);
      else code.i32(node.value);
    } else if (node.op === 'word') this.#words.loadScalar(node);
    else if (node.op !== 'builtin') scalarOperation(this, node);
    else if (node.builtin === 'invocation') code.get(BEGIN);
    else {
      code.i32(0);
      code.memory(SCALAR.i32Load, this.#plan.registers + 4 * Number(node.builtin!.slice('register'.length)));
    }
  }

  vector(node: Node): void {
    if (!this.#isVector(node)) this.#spread(node);
    else {
      const local = this.#named.get(node);
      if (local !== undefined) this.code.get(local);
      else if (node.op === 'word') this.#words.loadVector(node);
      else vectorOperation(this, node, this.#isVector);
    }
  }

  /** Puts a value that is kept as a scalar on the stack as a vector. */
  #spread(node: Node): void {
    const { code } = this;
    if (node.op === 'const') this.#constant(constantBits(node));
    else if (this.#named.has(node) || node.op === 'builtin') code.get(this.#keepSpread(node));
    else this.#splat(node);
  }
  #keepSpread(node: Node): number {
    return this.kept(`spread ${node.id}`, 'v128', () => this.#splat(node));
  }

  #constant(bits: number): void {
    const { code } = this;
    if (bits === 0) {
      code.simd(SIMD.constant);
      for (let k = 0; k < 16; k++) code.byte(0);
      return;
    }
    code.i32(0);
    code.simdMemory(SIMD.load32Splat, this.#plan.pool + 4 * this.#pool.position(bits));
  }

  #splat(node: Node): void {
    const { code } = this;
    if (node.type === 'bool') code.i32(0);
    this.scalar(node);
    if (node.type === 'bool') code.byte(SCALAR.i32Sub);
    code.simd(node.type === 'f32' ? SIMD.f32x4Splat : SIMD.i32x4Splat);
    const stride = this.shape(node).stride!;
    if (stride === 0) return;
    code.simd(SIMD.constant);
    const steps = new Int32Array(LANES).map((_, lane) => Math.imul(lane, stride));
    code.bytes(new Uint8Array(steps.buffer));
    code.simd(SIMD.i32x4Add);
  }

  #define(node: Node): void {
    this.#value(node);
    this.#name(node);
    // Its vector is made here, once, and not in every round where the first vector needs it.
    if (this.#lanes > 1 && this.#hoisted.has(node) && this.#spreads.has(node)) this.#keepSpread(node);
  }

  /** Takes a node's value from the stack into a local. */
  #name(node: Node): void {
    const local = this.#local(this.#type(node));
    this.code.set(local);
    this.#named.set(node, local);
  }

  #block(of: Block): void {
    for (const node of of.nodes) {
      if (isRegion(node)) this.#region(node);
      else if (
        node.op === 'result' ||
        node.op === 'const' ||
        this.#inline.has(node) ||
        this.#hoisted.has(node)
      )
        continue;
      else if (node.op !== 'builtin') this.#define(node);
    }
  }

  #region(node: Node): void {
    if (node.op === 'if') this.#branch(node);
    else if (node.op === 'range') this.#range(node);
    else this.#while(node);
  }

  /** Puts a value on the stack in the form of another. */
  #valueAs(node: Node, model: Node): void {
    if (this.#isVector(model)) this.vector(node);
    else this.scalar(node);
  }

  #branch(region: Node): void {
    const [condition] = region.args;
    const targets = (this.#results.get(region) ?? []).map((result) => ({
      result,
      local: this.#local(this.#type(result)),
    }));
    if (this.#isVector(condition)) this.#parting(region, targets);
    else {
      this.scalar(condition);
      this.code.if();
      region.blocks!.forEach((side, position) => {
        if (position === 1) this.code.else();
        this.#inScope(() => {
          this.#block(side);
          for (const { result, local } of targets) {
            this.#valueAs(side.results[result.value], result);
            this.code.set(local);
          }
        });
      });
      this.code.end();
    }
    for (const { result, local } of targets) this.#named.set(result, local);
  }

  /** A branch whose lanes may part: each side is run if any lane takes it, the results are chosen lane by lane. */
  #parting(region: Node, targets: readonly { result: Node; local: number }[]): void {
    const { code } = this;
    this.vector(region.args[0]);
    const condition = this.#local('v128');
    code.set(condition);
    const before = this.#mask;
    region.blocks!.forEach((side, position) => {
      const write = (): void =>
        this.#inScope(() => {
          this.#block(side);
          for (const { result, local } of targets) {
            if (position === 1) code.get(local);
            this.vector(side.results[result.value]);
            if (position === 1) {
              code.get(condition);
              code.simd(SIMD.bitSelect);
            }
            code.set(local);
          }
        });
      if (isCheap(side)) {
        write();
        return;
      }
      if (before !== null) code.get(before);
      code.get(condition);
      if (position === 1) code.simd(before === null ? SIMD.not : SIMD.andNot);
      else if (before !== null) code.simd(SIMD.and);
      this.#mask = this.#local('v128');
      code.tee(this.#mask);
      code.simd(SIMD.anyTrue);
      code.if();
      write();
      code.end();
      this.#mask = before;
    });
  }

  /** Locals for what a loop carries, with the values that it starts from. */
  #carried(region: Node): { param: Node; next: Node; local: number }[] {
    const { args, params } = carriedFrom(region);
    const blocks = region.blocks!;
    const body = blocks[blocks.length - 1];
    const carried = body.results.map((next, k) => {
      const param = body.params[params + k];
      this.#valueAs(region.args[args + k], param);
      const local = this.#local(this.#type(param));
      this.code.set(local);
      return { param, next, local };
    });
    carried.forEach(({ local }, k) => {
      for (const block of blocks) this.#named.set(block.params[params + k], local);
    });
    for (const result of this.#results.get(region) ?? [])
      this.#named.set(result, carried[result.value].local);
    return carried;
  }

  /** Hands the carried values of the lanes that take part to the next round. */
  #advance(carried: readonly { param: Node; next: Node; local: number }[], active: number | null): void {
    const { code } = this;
    const changed = carried.filter(({ param, next }) => param !== next);
    for (const { param, next, local } of changed) {
      this.#valueAs(next, param);
      if (active === null) continue;
      code.get(local);
      code.get(active);
      code.simd(SIMD.bitSelect);
    }
    for (const { local } of changed.reverse()) code.set(local);
  }

  #range(region: Node): void {
    const { code } = this;
    const [start, end] = region.args;
    const [body] = region.blocks!;
    const [counter] = body.params;
    const carried = this.#carried(region);
    const isParting = this.#differs(start) || this.#differs(end);
    this.#valueAs(start, counter);
    this.#name(counter);
    const counterLocal = this.#named.get(counter)!;
    if (isParting) this.vector(end);
    else this.scalar(end);
    const endLocal = this.#local(isParting ? 'v128' : 'i32');
    code.set(endLocal);
    const before = this.#mask;
    const active = isParting ? this.#local('v128') : null;
    code.block();
    code.loop();
    this.#inScope(() => {
      if (active === null) {
        code.get(counterLocal);
        code.get(endLocal);
        code.byte(SCALAR.i32GeU);
        code.branchIf(1);
      } else {
        this.vector(counter);
        code.get(endLocal);
        code.simd(SIMD.i32x4LtU);
        if (before !== null) {
          code.get(before);
          code.simd(SIMD.and);
        }
        this.#leaveUnlessAny(active);
      }
      this.#block(body);
      this.#advance(carried, active);
    });
    code.get(counterLocal);
    if (this.#isVector(counter)) {
      this.#constant(1);
      code.simd(SIMD.i32x4Add);
    } else {
      code.i32(1);
      code.byte(SCALAR.i32Add);
    }
    code.set(counterLocal);
    code.branch(0);
    code.end();
    code.end();
    this.#mask = before;
  }

  /** Makes the vector on the stack the mask, and leaves the loop if no lane is in it. */
  #leaveUnlessAny(active: number): void {
    const { code } = this;
    code.tee(active);
    code.simd(SIMD.anyTrue);
    code.byte(SCALAR.i32Eqz);
    code.branchIf(1);
    this.#mask = active;
  }

  #while(region: Node): void {
    const { code } = this;
    const [test, body] = region.blocks!;
    const carried = this.#carried(region);
    const isParting = controlOf(region).some((c) => this.#differs(c));
    const before = this.#mask;
    let active: number | null = null;
    if (isParting) {
      active = this.#local('v128');
      if (before === null) this.#constant(-1);
      else code.get(before);
      code.set(active);
      this.#mask = active;
    }
    code.block();
    code.loop();
    this.#inScope(() => {
      this.#block(test);
      if (active === null) {
        this.scalar(test.results[0]);
        code.byte(SCALAR.i32Eqz);
        code.branchIf(1);
      } else {
        this.vector(test.results[0]);
        code.get(active);
        code.simd(SIMD.and);
        this.#leaveUnlessAny(active);
      }
      this.#block(body);
      this.#advance(carried, active);
    });
    code.branch(0);
    code.end();
    code.end();
    this.#mask = before;
  }

  /** All values are found before the first is stored: a kernel reads the fields as they were before it ran. */
  #stores(): void {
    for (const { address, value } of this.#kernel.stores) {
      for (const node of [address, value]) {
        if (node.op === 'const' || node.op === 'builtin' || this.#named.has(node)) continue;
        this.#value(node);
        this.#name(node);
      }
    }
    for (const store of this.#kernel.stores) {
      if (this.#lanes === 1) this.#words.storeScalar(store, () => this.scalar(store.value));
      else this.#words.storeVector(store, () => this.vector(store.value));
    }
  }
}

/** Whether a side of a branch costs less than finding out if any lane takes it. */
function isCheap(side: Block): boolean {
  return side.nodes.length <= CHEAP_SIDE && side.nodes.every((n) => !isRegion(n) && n.op !== 'word');
}
