import type { BoundKernel, Footprint } from '../bound-kernel.ts';
import { Ranges } from './ranges.ts';

/** Kernels of one grouping that each invocation runs one after another; each kernel sees what those before it wrote. */
export type Strand<K extends Footprint = BoundKernel> = readonly K[];

/** Independent strands that run side by side. */
export type Dispatch<K extends Footprint = BoundKernel> = readonly Strand<K>[];

/** Last dispatch that accesses a range of words, and the strands of it that access the range. */
interface Last<K> {
  dispatch: number;
  readonly strands: Set<K[]>;
}

/** Last dispatch and strands that a kernel depends on. */
interface Before<K> extends Last<K> {
  /**
   * True if the kernel depends on elements other than its own, so that it cannot run behind them in the same
   * invocation.
   */
  collides: boolean;
}

/**
 * Schedules a program into the fewest dispatches that its data flow allows. Each kernel goes into the first dispatch in
 * which all its inputs are ready: beside independent kernels, or behind kernels of its grouping that wrote only to
 * their own element.
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
      for (const access of accesses) addToLast(ranges.valueFor(access), at, strand);
  }
  return dispatches;
}

function addToLast<K>(last: Last<K>, dispatch: number, strand: K[]): void {
  if (last.dispatch > dispatch) return;
  if (last.dispatch < dispatch) last.strands.clear();
  last.dispatch = dispatch;
  last.strands.add(strand);
}

/** Finds the last kernels scheduled so far that this one must run after. */
function lastBefore<K extends Footprint>(
  { reads, writes }: K,
  read: Ranges<Last<K>>,
  written: Ranges<Last<K>>,
): Before<K> {
  const before: Before<K> = { dispatch: -1, strands: new Set(), collides: false };
  const look = (ranges: Ranges<Last<K>>, accesses: Footprint['reads']): void => {
    for (const access of accesses)
      ranges.overlapping(access, ({ isOwn, value }) => {
        if (value.dispatch < before.dispatch) return false;
        if (value.dispatch > before.dispatch) before.collides = false;
        for (const strand of value.strands) addToLast(before, value.dispatch, strand);
        if (!(isOwn && access.isOwn)) before.collides = true;
        return false;
      });
  };
  look(read, writes);
  look(written, writes);
  look(written, reads);
  return before;
}

/** Maximum workgroup size that every WebGPU device supports. */
const LARGEST_WORKGROUP = 256;

/**
 * Returns whether a program fits into one workgroup, which can then loop over rows by itself. Several workgroups could
 * partition the worlds; on a software driver that took up to five times as long as separate dispatches.
 */
export const fitsWorkgroup = (kernels: readonly Pick<BoundKernel, 'invocations'>[]): boolean =>
  kernels.length > 0 && kernels.every(({ invocations }) => invocations <= LARGEST_WORKGROUP);
