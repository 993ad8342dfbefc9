import type { BoundKernel, Footprint } from './bound-kernel.ts';
import { Ranges } from './ranges.ts';

/** Kernels of one grouping that every invocation runs one after another, each finding what those before it wrote. */
export type Strand<K extends Footprint = BoundKernel> = readonly K[];

/** Strands side by side: what one of them does is nothing to the others. */
export type Dispatch<K extends Footprint = BoundKernel> = readonly Strand<K>[];

/** The last dispatch that reaches a range, and its strands that do. */
interface Last<K> {
  dispatch: number;
  readonly strands: Set<K[]>;
}

/** Positions of the last kernels that another one depends on. */
interface Before<K> extends Last<K> {
  /** Whether it depends on other elements than its own: it cannot follow in the same invocation. */
  collides: boolean;
}

/**
 * A program as the fewest dispatches that the flow of its data allows. Each kernel goes into the first dispatch in
 * which it finds all that it needs: beside others that it has nothing to do with, or behind those of its grouping
 * that only wrote to its own element.
 */
export function dispatchesOf<K extends Footprint>(kernels: readonly K[]): Dispatch<K>[] {
  const dispatches: K[][][] = [];
  const none = (): Last<K> => ({ dispatch: -1, strands: new Set() });
  const [read, written] = [new Ranges(none), new Ranges(none)];
  for (const kernel of kernels) {
    const before = lastBefore(kernel, read, written);
    const [only] = before.strands;
    const canFollow = before.strands.size === 1 && only[0].grouping === kernel.grouping && !before.collides;
    const at = canFollow ? before.dispatch : before.dispatch + 1;
    const strand = canFollow ? only : [];
    strand.push(kernel);
    if (at === dispatches.length) dispatches.push([]);
    if (!canFollow) dispatches[at].push(strand);
    for (const [ranges, accesses] of [
      [read, kernel.reads],
      [written, kernel.writes],
    ] as const)
      for (const access of accesses) reach(ranges.at(access), at, strand);
  }
  return dispatches;
}

function reach<K>(last: Last<K>, dispatch: number, strand: K[]): void {
  if (last.dispatch > dispatch) return;
  if (last.dispatch < dispatch) last.strands.clear();
  last.dispatch = dispatch;
  last.strands.add(strand);
}

/** The last of the kernels so far whose order with another matters. */
function lastBefore<K extends Footprint>(
  { reads, writes }: K,
  read: Ranges<Last<K>>,
  written: Ranges<Last<K>>,
): Before<K> {
  const before: Before<K> = { dispatch: -1, strands: new Set(), collides: false };
  const look = (ranges: Ranges<Last<K>>, accesses: Footprint['reads']): void => {
    for (const access of accesses)
      ranges.some(access, ({ isOwn, known }) => {
        if (known.dispatch < before.dispatch) return false;
        if (known.dispatch > before.dispatch) before.collides = false;
        for (const strand of known.strands) reach(before, known.dispatch, strand);
        if (!(isOwn && access.isOwn)) before.collides = true;
        return false;
      });
  };
  look(read, writes);
  look(written, writes);
  look(written, reads);
  return before;
}

/** The most invocations of a workgroup on every WebGPU device. */
const LARGEST_WORKGROUP = 256;

/**
 * Whether a program fits into one workgroup, which then can run row after row by itself. Several workgroups could share
 * the worlds out; on a software driver that took up to five times as long as dispatches of their own.
 */
export const fitsWorkgroup = (kernels: readonly Pick<BoundKernel, 'invocations'>[]): boolean =>
  kernels.length > 0 && kernels.every(({ invocations }) => invocations <= LARGEST_WORKGROUP);
