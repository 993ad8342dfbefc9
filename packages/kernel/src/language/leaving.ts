import type { Builder } from './builder.ts';
import type { Block, Node, Output } from './form.ts';
import { within } from './form.ts';

/** An index that names no element: nothing is added there. */
export const NOWHERE = 0xffffffff;
/** The index of an addition in a round beyond the bound of its loop. */
export const TOO_MANY_ROUNDS = 0xfffffffe;

/** A region that is about to be closed, with what it takes and gives; outputs that leave it add to both. */
export interface Closing {
  readonly op: 'if' | 'range' | 'while';
  readonly args: Node[];
  readonly blocks: readonly Block[];
  /** Rounds that a loop makes at most, where that is known. */
  readonly most: number | null;
}

/** Position, among the results of a region, of what an output gives outside of it. */
export interface Leaving {
  readonly output: Output;
  readonly value: number;
  /** A node where the region stands, or the position of a result. */
  readonly index: Node | null | number;
}

/**
 * Brings additions out of the blocks of a region. Out of a branch they leave as results: nothing on the side that does
 * not add. Out of a loop they leave as a sum over its rounds, if all rounds add to one element; otherwise they stay in
 * its body, and learn which round it is: each round has a slot of its own.
 *
 * @returns the outputs that leave, which stand where the region does from then on. `dropped` are parts of others.
 */
export function leavingOf(
  b: Builder,
  closing: Closing,
  outputs: readonly Output[],
): { leaving: Leaving[]; dropped: Set<Output> } {
  if (closing.op === 'if') return outOfBranch(b, closing, outputs);
  const inTest = closing.op === 'while' && outputs.find((o) => within(o.block, closing.blocks[0]));
  if (inTest)
    throw new Error(
      `kernel ${b.kernelName}: "${inTest.port.name}" is added to in the test of a loop; add to it in the loop's body.`,
    );
  const inside = outputs.filter((o) => within(o.block, closing.blocks[closing.blocks.length - 1]));
  const leaving: Leaving[] = [];
  const staying: Output[] = [];
  for (const output of inside) {
    const index = output.round === null ? indexOutside(b, output.index) : undefined;
    if (index === undefined) staying.push(output);
    else leaving.push({ output, index, value: sumOver(b, closing, output) });
  }
  if (staying.length > 0) countRoundsFor(b, closing, staying);
  return { leaving, dropped: new Set() };
}

function outOfBranch(b: Builder, { blocks }: Closing, outputs: readonly Output[]) {
  const sides = blocks.map((block) => outputs.filter((o) => o.block === block));
  const leaving: Leaving[] = [];
  const dropped = new Set<Output>();
  const results = (values: readonly Node[]): number => {
    blocks.forEach((block, side) => {
      block.results.push(values[side]);
    });
    return blocks[0].results.length - 1;
  };
  const positions = new Map<Node, number>();
  sides.forEach((own, side) => {
    const both = (value: Node, other: Node): Node[] => (side === 0 ? [value, other] : [other, value]);
    for (const output of own) {
      if (dropped.has(output)) continue;
      const outside = indexOutside(b, output.index);
      // What the other side adds to the same element takes the same slot.
      const twin =
        side === 0 &&
        sides[1].find(
          (o) => isSameTarget(o, output) && !dropped.has(o) && indexOutside(b, o.index) === outside,
        );
      if (twin && outside !== undefined) dropped.add(twin);
      const other = twin && outside !== undefined ? twin.value : b.const(0, output.value.type);
      let index: Leaving['index'] | undefined = outside;
      if (index === undefined) {
        const inside = output.index!;
        if (!positions.has(inside)) positions.set(inside, results(both(inside, b.const(NOWHERE, 'u32'))));
        index = positions.get(inside)!;
      }
      leaving.push({ output, index, value: results(both(output.value, other)) });
    }
  });
  return { leaving, dropped };
}

const isSameTarget = (x: Output, y: Output): boolean => x.port === y.port && x.component === y.component;

/** The index of an addition as it is known where the builder stands; undefined where the region decides it. */
function indexOutside(b: Builder, index: Node | null): Node | null | undefined {
  return index === null ? null : (again(b, index) ?? undefined);
}

/** A whole number that the host can know, found again where the builder stands; null for others that are not there. */
function again(b: Builder, node: Node): Node | null {
  if (b.inScope(node)) return node;
  const isKnown =
    node.type !== 'f32' &&
    node.op !== 'param' &&
    node.op !== 'result' &&
    (node.op !== 'builtin' || node.builtin === 'element') &&
    (node.op !== 'load' || node.port!.shared);
  if (!isKnown) return null;
  const args = node.args.map((arg) => again(b, arg));
  if (args.some((arg) => arg === null)) return null;
  const { value, builtin, port, component } = node;
  return b.emit(node.op, node.type, args as Node[], { value, builtin, port, component });
}

/** Has a loop carry another value; gives its position among the results. */
function carry(b: Builder, { args, blocks }: Closing, start: Node, next: (param: Node) => Node): number {
  args.push(start);
  const body = blocks[blocks.length - 1];
  const params = blocks.map((block) => b.param(block, start.type));
  body.results.push(b.inBlock(body, () => next(params[params.length - 1])));
  return body.results.length - 1;
}

const sumOver = (b: Builder, closing: Closing, { value }: Output): number =>
  carry(b, closing, b.const(0, value.type), (sum) => b.add(sum, value));

/** Numbers the additions that stay in a loop by its rounds. */
function countRoundsFor(b: Builder, closing: Closing, staying: readonly Output[]): void {
  const { op, args, blocks, most } = closing;
  const body = blocks[blocks.length - 1];
  if (most === null) {
    const [{ port }] = staying;
    const what = port.shade === 'adjoint' ? 'is read, with a derivative,' : 'is added to';
    throw new Error(
      `kernel ${b.kernelName.replace(/_adjoint$/, '')}: "${port.name}" ${what} at another index in every round of a loop, ` +
        'of which nobody knows how many rounds it makes. Give the loop a bound, as its last argument: { most: 16 }.',
    );
  }
  const counter =
    op === 'range'
      ? body.params[0]
      : body.params[carry(b, closing, b.const(0, 'u32'), (k) => b.add(k, b.const(1, 'u32')))];
  const isBounded = isConstantRange(op, args);
  const rounds = Math.max(most, 1);
  const inner = new Set(staying.map((output) => output.rounds));
  // First in the body, so that they are there for the loops within.
  const { round, isWithin, bases } = b.atStart(body, () => {
    const passed = op === 'range' ? b.sub(counter, args[0]) : counter;
    const round = isBounded ? passed : b.pure('min', passed, b.const(rounds - 1, 'u32'));
    return {
      round,
      isWithin: isBounded ? null : b.pure('lt', passed, b.const(most, 'u32')),
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

/** Whether a loop makes the same rounds for every element. */
export const isConstantRange = (op: Node['op'], args: readonly Node[]): boolean =>
  op === 'range' && args[0].op === 'const' && args[1].op === 'const';
