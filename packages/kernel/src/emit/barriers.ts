import type { Footprint } from './bound-kernel.ts';
import type { Ranged } from './ranges.ts';
import { Ranges } from './ranges.ts';

/** The groupings of the kernels that reach a range. */
type Groupings = Set<string>;

/** Words that kernels have read and written since the last barrier. */
class Since {
  readonly #read = new Ranges<Groupings>(() => new Set());
  readonly #written = new Ranges<Groupings>(() => new Set());

  add({ reads, writes, grouping }: Footprint): void {
    for (const access of reads) this.#read.at(access).add(grouping);
    for (const access of writes) this.#written.at(access).add(grouping);
  }

  /**
   * Whether what these kernels do to words matters to another that other threads, or other invocations, may be at. Of
   * two kernels of one grouping that both keep to their own element, the same thread runs both on it.
   */
  collides({ reads, writes, grouping }: Footprint): boolean {
    const isOther = ({ known }: Ranged<Groupings>): boolean => known.size > 1 || !known.has(grouping);
    const meets = (ranges: Ranges<Groupings>, accesses: Footprint['reads']): boolean =>
      accesses.some((access) => ranges.some(access, (range) => !(access.isOwn && range.isOwn) || isOther(range)));
    return meets(this.#read, writes) || meets(this.#written, writes) || meets(this.#written, reads);
  }
}

/**
 * Before which kernels of a program all threads meet, so that each sees what those before it wrote. Kernels of one
 * grouping are shared out among threads together, so what a kernel finds at its own element was written by the same
 * thread.
 * @param meetsBetween whether threads meet before the program runs again; otherwise what ends one row is followed by
 * what begins the next.
 */
export function barriersOf(kernels: readonly Footprint[], meetsBetween = false): boolean[] {
  const barriers = kernels.map(() => false);
  let since = new Since();
  for (let round = 0; round < (meetsBetween ? 1 : 2); round++) {
    kernels.forEach((kernel, k) => {
      if (barriers[k] || since.collides(kernel)) {
        barriers[k] = true;
        since = new Since();
      }
      since.add(kernel);
    });
  }
  return barriers;
}
