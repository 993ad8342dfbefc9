import { min } from '../primitives/arithmetic.ts';
import { lt } from '../primitives/comparison.ts';
import type { Block, Loop, LoopBlock, Node, NodeType, Output, Port, SideBlock, Writer } from './form.ts';
import { carryingBlocks, isConstantRange, within } from './form.ts';

/** What takes outputs out of regions writes with: a builder. */
export interface LeavingWriter extends Writer {
  /** The kernel that a person wrote. */
  readonly sourceName: string;
  /** What adding does not change. */
  zero(type: NodeType): Node;
  load(port: Port, component: number, index: Node | null): Node;
  param(block: LoopBlock, type: NodeType): Node;
  inScope(node: Node): boolean;
  inBlock<T>(block: Block, write: () => T): T;
  atStart<T>(block: Block, write: () => T): T;
}

/** An index that names no element: nothing is added there. */
export const NOWHERE = 0xffffffff;
/** The index of an addition in a round beyond the bound of its loop. */
export const TOO_MANY_ROUNDS = 0xfffffffe;

/** An output that is still to leave regions. */
export type Draft = { -readonly [K in keyof Output]: Output[K] };

/** What an output is outside of a region. */
export interface Leaving {
  readonly output: Draft;
  /** Position among what the region gives. */
  readonly value: number;
  /** A node where the region stands, or a position as well. */
  readonly index: Node | null | number;
}

/**
 * Brings additions out of a branch that is about to be closed: they leave as results, nothing on the side that does not
 * add. What both sides add to one element is one addition; its second half is `dropped`.
 */
export function leavingBranch(
  b: LeavingWriter,
  sides: readonly [SideBlock, SideBlock],
  outputs: readonly Draft[],
): { readonly leaving: Leaving[]; readonly dropped: Set<Draft> } {
  const leaving: Leaving[] = [];
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
    // What stands in a loop within stays there.
    if (dropped.has(output) || !sides.some((side) => side === output.block)) continue;
    const isFirst = output.block === sides[0];
    const both = (value: Node, otherwise: Node): Node[] =>
      isFirst ? [value, otherwise] : [otherwise, value];
    const outside = indexOutside(b, output.index);
    const twin =
      isFirst && outside !== undefined
        ? other.find(
            (o) => isSameTarget(o, output) && !dropped.has(o) && indexOutside(b, o.index) === outside,
          )
        : undefined;
    if (twin) dropped.add(twin);
    const zero = b.zero(output.value.type);
    let index: Leaving['index'] | undefined = outside;
    if (index === undefined) {
      const inside = output.index!;
      if (!given.has(inside)) given.set(inside, give(both(inside, b.const(NOWHERE, 'u32'))));
      index = given.get(inside)!;
    }
    leaving.push({ output, index, value: give(both(output.value, twin?.value ?? zero)) });
  }
  return { leaving, dropped };
}

const isSameTarget = (x: Output, y: Output): boolean => x.port === y.port && x.component === y.component;

/**
 * Brings additions out of a loop that is about to be closed: as a sum over its rounds, if all rounds add to one element.
 * Otherwise they stay in its body, and learn which round it is: each round has a slot of its own.
 */
export function leavingLoop(b: LeavingWriter, loop: Loop, outputs: readonly Draft[]): Leaving[] {
  const outside = outputs.find((o) => !within(o.block, loop.body));
  if (outside)
    throw new Error(
      `kernel ${b.sourceName}: "${outside.port.name}" is added to in the test of a loop; add to it in the loop's body.`,
    );
  const leaving: Leaving[] = [];
  const staying: Draft[] = [];
  for (const output of outputs) {
    const index = output.round === null ? indexOutside(b, output.index) : undefined;
    if (index === undefined) staying.push(output);
    else {
      const { value } = output;
      const sum = carry(b, loop, b.zero(value.type), (before) => b.add(before, value));
      leaving.push({ output, index, value: sum });
    }
  }
  if (staying.length > 0) countRoundsFor(b, loop, staying);
  return leaving;
}

/** The index of an addition as it is known where the builder stands; undefined where the region decides it. */
function indexOutside(b: LeavingWriter, index: Node | null): Node | null | undefined {
  return index === null ? null : (again(b, index) ?? undefined);
}

/** A whole number that the host can know, found again where the builder stands; null for others that are not there. */
function again(b: LeavingWriter, node: Node): Node | null {
  if (b.inScope(node)) return node;
  if (node.op === 'load') {
    const index = node.index && again(b, node.index);
    return node.port.shared && (index !== null || node.index === null)
      ? b.load(node.port, node.component, index)
      : null;
  }
  if (node.op !== 'pure' || node.type === 'f32') return null;
  const args = node.args.map((arg) => again(b, arg));
  return args.every((arg) => arg !== null) ? b.pure(node.primitive, ...args) : null;
}

/** Has a loop carry another value; gives its position. */
function carry(b: LeavingWriter, loop: Loop, start: Node, next: (before: Node) => Node): number {
  loop.initial = [...loop.initial, start];
  const params = carryingBlocks(loop).map((block) => b.param(block, start.type));
  const { body } = loop;
  body.results = [...body.results, b.inBlock(body, () => next(params[params.length - 1]))];
  return body.results.length - 1;
}

/** Numbers the additions that stay in a loop by its rounds. */
function countRoundsFor(b: LeavingWriter, loop: Loop, staying: readonly Draft[]): void {
  const { most, body } = loop;
  if (most === null) {
    const [{ port }] = staying;
    const what = port.shade === 'adjoint' ? 'is read, with a derivative,' : 'is added to';
    throw new Error(
      `kernel ${b.sourceName}: "${port.name}" ${what} at another index in every round of a loop, ` +
        'of which nobody knows how many rounds it makes. Give the loop a bound, as its last argument: { most: 16 }.',
    );
  }
  // A range counts by itself.
  const counted =
    loop.op === 'while' ? carry(b, loop, b.const(0, 'u32'), (k) => b.add(k, b.const(1, 'u32'))) : null;
  const counter = loop.op === 'range' ? loop.body.counter : body.params[counted!];
  const isBounded = isConstantRange(loop);
  const rounds = Math.max(most, 1);
  const inner = new Set(staying.map((output) => output.rounds));
  // First in the body, so that they are there for the loops within.
  const { round, isWithin, bases } = b.atStart(body, () => {
    const passed = loop.op === 'range' ? b.sub(counter, loop.start) : counter;
    const round = isBounded ? passed : b.pure(min, passed, b.const(rounds - 1, 'u32'));
    return {
      round,
      isWithin: isBounded ? null : b.pure(lt, passed, b.const(most, 'u32')),
      bases: new Map([...inner].map((within) => [within, b.mul(round, b.const(within, 'u32'))])),
    };
  });
  for (const output of staying) {
    b.inBlock(output.block, () => {
      output.round = output.round ? b.add(bases.get(output.rounds)!, output.round) : round;
      if (isWithin) output.index = b.select(isWithin, output.index!, b.const(TOO_MANY_ROUNDS, 'u32'));
    });
    output.rounds *= rounds;
  }
}
