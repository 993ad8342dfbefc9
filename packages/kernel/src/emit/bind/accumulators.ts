import type { KernelOutput } from '../../form/kernel-form.ts';
import type { Node } from '../../form/nodes.ts';
import type { Port } from '../../form/port.ts';
import type { Builder } from '../../language/builder.ts';
import { NO_ELEMENT } from '../../language/fields/no-element.ts';
import { div, min } from '../../primitives/arithmetic.ts';
import { and } from '../../primitives/bits.ts';
import { eq, ge, ne } from '../../primitives/comparison.ts';
import { anyOf, emitIf } from './branches.ts';

/**
 * Padding elements of a private accumulator: one for additions to no element, and the rest so that accumulators of
 * neighbouring invocations, which add to the same elements at about the same time, are not a power of two apart and do
 * not evict each other from the caches.
 */
const PADDING = 43;
/** Returns the padded size of an accumulator, in elements. */
export const sizeOfAccumulator = (elements: number): number => elements + PADDING;

/**
 * Returns the position of element `index` of accumulator number `accumulator`, counted over all accumulators. An index
 * out of range becomes the padding element after the last one.
 */
export function elementOfAccumulator(
  b: Builder,
  { elements, isWithin }: KernelOutput['accumulator'] & {},
  index: Node,
  accumulator: Node,
): Node {
  const first = b.mul(accumulator, b.const(sizeOfAccumulator(elements), 'u32'));
  return b.add(first, isWithin ? index : b.pure(min, index, b.const(elements, 'u32')));
}

/** An addition to a private accumulator whose index may be out of range, as nodes of a bound kernel. */
export interface UncheckedAddition {
  readonly recordPort: Port;
  readonly elements: number;
  readonly index: Node;
  /** Added values: an addition out of range is no error if all of them are 0. Null if it is always an error. */
  readonly values: readonly Node[] | null;
}

/** Emits code, in the current block, that records the first addition out of range: substep + 1, element and index. */
export function recordLost(
  b: Builder,
  additions: readonly UncheckedAddition[],
  element: Node,
  substep: () => Node,
  load: (port: Port, component: number) => Node,
  store: (port: Port, component: number, value: Node) => void,
): void {
  if (additions.length === 0) return;
  const isBeyond = additions.map(({ index, elements }) =>
    b.pure(and, b.pure(ge, index, b.const(elements, 'u32')), b.pure(ne, index, b.const(NO_ELEMENT, 'u32'))),
  );
  // Skipped entirely if all are in range.
  emitIf(b, anyOf(b, isBeyond), () => {
    additions.forEach(({ recordPort, index, values }, k) => {
      const isSomething = values?.map((value) => b.pure(ne, value, b.const(0)));
      const isLost = isSomething ? b.pure(and, isBeyond[k], anyOf(b, isSomething)) : isBeyond[k];
      emitIf(b, isLost, () => {
        // Only the first is kept.
        const isFirst = b.pure(eq, load(recordPort, 0), b.const(0, 'u32'));
        const words = [b.add(substep(), b.const(1, 'u32')), element, index];
        words.forEach((word, c) => store(recordPort, c, b.select(isFirst, word, load(recordPort, c))));
      });
    });
  });
}

/**
 * Number of invocations in a group that processes neighbouring elements side by side: the number of SIMD lanes in
 * single precision. Fewer if there are fewer partitions.
 */
const GROUP_SIZE = 4;
/**
 * Maximum length, in elements, of a contiguous run that a group processes before it skips the other groups' runs: keeps
 * the group's reads near each other.
 */
const MAX_RUN = 1024;
/** Minimum number of runs per group, so that expensive elements are spread over the groups. */
const MIN_RUNS = 8;

/** Emits a loop over the elements assigned to partition `number`, calling `write` for each. */
export function overPartition(
  b: Builder,
  number: Node,
  partitions: number,
  elements: number,
  write: (element: Node) => void,
): void {
  const u32 = (value: number): Node => b.const(value, 'u32');
  const together = Math.min(GROUP_SIZE, partitions);
  const groups = partitions / together;
  const rounds = Math.max(1, Math.min(MAX_RUN / together, Math.floor(elements / (partitions * MIN_RUNS))));
  const run = rounds * together;
  const group = b.pure(div, number, u32(together));
  const lane = b.sub(number, b.mul(group, u32(together)));
  const runs = b.openRange();
  const first = b.add(b.mul(b.add(b.mul(runs.counter, u32(groups)), group), u32(run)), lane);
  // Zero if the run starts behind the last element.
  const left = b.sub(u32(elements + together - 1), b.pure(min, first, u32(elements + together - 1)));
  const end = b.pure(min, b.pure(div, left, u32(together)), u32(rounds));
  const body = b.openRange();
  write(b.add(b.mul(body.counter, u32(together)), first));
  b.closeBlock(body);
  b.range(u32(0), end, [], body);
  b.closeBlock(runs);
  b.range(u32(0), u32(Math.ceil(elements / (groups * run))), [], runs);
}
