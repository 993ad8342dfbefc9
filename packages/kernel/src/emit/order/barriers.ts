import type { Footprint } from '../bound-kernel.ts';
import type { Ranged } from './ranges.ts';
import { Ranges } from './ranges.ts';

/** Grouping of the kernels that accessed a range of words; the first one if there are several. */
interface Groupings {
  grouping: string | null;
  isSeveral: boolean;
}

/** Words read and written since the last barrier. */
class SinceBarrier {
  readonly #read = new Ranges<Groupings>(() => ({ grouping: null, isSeveral: false }));
  readonly #written = new Ranges<Groupings>(() => ({ grouping: null, isSeveral: false }));

  add({ reads, writes, grouping }: Footprint): void {
    for (const [ranges, accesses] of [[this.#read, reads] as const, [this.#written, writes] as const])
      for (const access of accesses) {
        const known = ranges.valueFor(access);
        known.grouping ??= grouping;
        known.isSeveral ||= known.grouping !== grouping;
      }
  }

  /**
   * Returns whether these accesses conflict with accesses since the last barrier by other threads or invocations. Two
   * kernels of one grouping that each access only their own element never conflict: the same thread runs both on it.
   */
  collides({ reads, writes, grouping }: Footprint): boolean {
    const isOther = ({ value }: Ranged<Groupings>): boolean => value.isSeveral || value.grouping !== grouping;
    const meets = (ranges: Ranges<Groupings>, accesses: Footprint['reads']): boolean =>
      accesses.some((access) =>
        ranges.overlapping(access, (range) => !(access.isOwn && range.isOwn) || isOther(range)),
      );
    return meets(this.#read, writes) || meets(this.#written, writes) || meets(this.#written, reads);
  }
}

/**
 * Returns before which kernels of a program there is a barrier, at which all threads meet, so that each sees what
 * earlier kernels wrote. Kernels of one grouping are partitioned among threads alike, so what a kernel reads at its own
 * element was written by the same thread.
 * @param meetsBetween whether there is a barrier before the program runs again; otherwise the last kernels of one row
 * are followed directly by the first of the next.
 */
export function barriersOf(kernels: readonly Footprint[], meetsBetween = false): boolean[] {
  const barriers = kernels.map(() => false);
  let since = new SinceBarrier();
  for (let round = 0; round < (meetsBetween ? 1 : 2); round++) {
    kernels.forEach((kernel, k) => {
      if (barriers[k] || since.collides(kernel)) {
        barriers[k] = true;
        since = new SinceBarrier();
      }
      since.add(kernel);
    });
  }
  return barriers;
}
