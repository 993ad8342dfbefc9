import { GradsimError } from '@gradsim/base';
import type { KernelOutput } from '../form/kernel-form.ts';
import type { Block, Loop, LoopBlock, Node, SideBlock, Writer } from '../form/nodes.ts';
import type { Port } from '../form/port.ts';
import type { NodeType } from '../form/types.ts';
import type { ConstantRange } from '../form/walk.ts';
import { carryingBlocks, isConstantRange, isWithinBlock, roundsOf } from '../form/walk.ts';
import { NO_ELEMENT } from './fields/no-element.ts';

/** Part of a builder that hoists outputs out of regions. */
export interface HoistingWriter extends Writer {
  /** Name of the kernel in source code. */
  readonly sourceName: string;
  /** Returns the zero of a type. */
  zero(type: NodeType): Node;
  load(port: Port, component: number, index: Node | null): Node;
  param(block: LoopBlock, type: NodeType): Node;
  inScope(node: Node): boolean;
  inBlock<T>(block: Block, write: () => T): T;
  atStart<T>(block: Block, write: () => T): T;
}

/** An output that is still to be hoisted out of regions. */
export type Draft = { -readonly [K in keyof KernelOutput]: KernelOutput[K] };

/** An output hoisted out of a region. */
export interface Hoisted {
  readonly output: Draft;
  /** Index, among the region's results, of the result that holds the value. */
  readonly value: number;
  /**
   * Index of the element to add to: a node outside of the region, or the position of a result that holds it. Null: the
   * own element.
   */
  readonly index: Node | null | number;
}

/**
 * Hoists additions out of a branch that is about to be closed: values become results of the branch, 0 on the side that
 * does not add. If both sides add to the same element, they become one addition; the second side's is `dropped`.
 */
export function hoistFromBranch(
  b: HoistingWriter,
  sides: readonly [SideBlock, SideBlock],
  outputs: readonly Draft[],
): { readonly leaving: Hoisted[]; readonly dropped: Set<Draft> } {
  const leaving: Hoisted[] = [];
  const dropped = new Set<Draft>();
  const give = (values: readonly Node[]): number => {
    sides.forEach((side, k) => {
      side.results = [...side.results, values[k]];
    });
    return sides[0].results.length - 1;
  };
  const given = new Map<Node, number>();
  const [, other] = sides.map((side) => outputs.filter((o) => o.block === side));
  for (const output of outputs) {
    // An output inside a nested loop stays there.
    if (dropped.has(output) || !sides.some((side) => side === output.block)) continue;
    const isFirst = output.block === sides[0];
    const both = (value: Node, otherwise: Node): Node[] => (isFirst ? [value, otherwise] : [otherwise, value]);
    const outside = indexOutside(b, output.index);
    const twin =
      isFirst && outside !== undefined
        ? other.find((o) => isSameTarget(o, output) && !dropped.has(o) && indexOutside(b, o.index) === outside)
        : undefined;
    if (twin) dropped.add(twin);
    const zero = b.zero(output.value.type);
    let index: Hoisted['index'] | undefined = outside;
    if (index === undefined) {
      const inside = output.index!;
      if (!given.has(inside)) given.set(inside, give(both(inside, b.const(NO_ELEMENT, 'u32'))));
      index = given.get(inside)!;
    }
    leaving.push({ output, index, value: give(both(output.value, twin?.value ?? zero)) });
  }
  return { leaving, dropped };
}

const isSameTarget = (x: KernelOutput, y: KernelOutput): boolean => x.port === y.port && x.component === y.component;

/**
 * Hoists additions out of a loop that is about to be closed: if all iterations add to the same element, as one addition
 * of the sum. Otherwise the addition stays in the body, with the iteration number if the number of iterations is known:
 * each iteration then has a slot of its own.
 */
export function hoistFromLoop(b: HoistingWriter, loop: Loop, outputs: readonly Draft[]): Hoisted[] {
  const outside = outputs.find((o) => !isWithinBlock(o.block, loop.body));
  if (outside)
    throw new GradsimError('kernel/add-in-loop-test', `"${outside.port.name}" is added to in the test of a loop.`, {
      kernel: b.sourceName,
      hint: "Add to it in the loop's body.",
    });
  const leaving: Hoisted[] = [];
  const staying: Draft[] = [];
  for (const output of outputs) {
    const isOnce = output.round === null && output.rounds !== null;
    const index = isOnce ? indexOutside(b, output.index) : undefined;
    if (index === undefined) staying.push(output);
    else {
      const { value } = output;
      const sum = addCarriedValue(b, loop, b.zero(value.type), (before) => b.add(before, value));
      leaving.push({ output, index, value: sum });
    }
  }
  if (isConstantRange(loop)) numberRounds(b, loop, staying);
  else
    for (const output of staying) {
      output.round = null;
      output.rounds = null;
    }
  return leaving;
}

/**
 * Returns the index of an addition as a node that is in scope after the region; null for the own element, undefined if
 * only the region can compute it.
 */
function indexOutside(b: HoistingWriter, index: Node | null): Node | null | undefined {
  return index === null ? null : (recomputed(b, index) ?? undefined);
}

/**
 * Returns an integer as a node in the current block, recomputed there if the host could compute it from index fields;
 * null if it is not in scope otherwise.
 */
function recomputed(b: HoistingWriter, node: Node): Node | null {
  if (b.inScope(node)) return node;
  if (node.op === 'load') {
    const index = node.index && recomputed(b, node.index);
    return node.port.shared && (index !== null || node.index === null)
      ? b.load(node.port, node.component, index)
      : null;
  }
  if (node.op !== 'pure' || node.type === 'f32') return null;
  const args = node.args.map((arg) => recomputed(b, arg));
  return args.every((arg) => arg !== null) ? b.pure(node.primitive, ...args) : null;
}

/** Adds a carried value to a loop, with its initial value and its update; returns its position among the results. */
function addCarriedValue(b: HoistingWriter, loop: Loop, start: Node, next: (before: Node) => Node): number {
  loop.initial = [...loop.initial, start];
  const params = carryingBlocks(loop).map((block) => b.param(block, start.type));
  const { body } = loop;
  body.results = [...body.results, b.inBlock(body, () => next(params[params.length - 1]))];
  return body.results.length - 1;
}

/** Gives each addition that stays in a loop its number among all additions of an element. */
function numberRounds(b: HoistingWriter, loop: ConstantRange, staying: readonly Draft[]): void {
  const inner = new Map<Draft, number>();
  for (const output of staying) if (output.rounds !== null) inner.set(output, output.rounds);
  if (inner.size === 0) return;
  // First in the body, so that loops within can use them.
  const { round, bases } = b.atStart(loop.body, () => {
    const round = b.sub(loop.body.counter, loop.start);
    const bases = new Map([...new Set(inner.values())].map((n) => [n, b.mul(round, b.const(n, 'u32'))]));
    return { round, bases };
  });
  const rounds = Math.max(1, roundsOf(loop));
  for (const [output, within] of inner) {
    b.inBlock(output.block, () => {
      output.round = output.round ? b.add(bases.get(within)!, output.round) : round;
    });
    output.rounds = within * rounds;
  }
}
