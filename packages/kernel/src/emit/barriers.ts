import type { Footprint } from './bound-kernel.ts';
import type { Ranged } from './ranges.ts';
import { Ranges } from './ranges.ts';

/** The grouping of the kernels that reach a range, or that of the first of several. */
interface Groupings {
  grouping: string | null;
  isSeveral: boolean;
}

/** Words that kernels have read and written since the last barrier. */
class Since {
  readonly #read = new Ranges<Groupings>(() => ({ grouping: null, isSeveral: false }));
  readonly #written = new Ranges<Groupings>(() => ({ grouping: null, isSeveral: false }));

  add({ reads, writes, grouping }: Footprint): void {
    for (const [ranges, accesses] of [[this.#read, reads] as const, [this.#written, writes] as const])
      for (const access of accesses) {
        const known = ranges.at(access);
        known.grouping ??= grouping;
        known.isSeveral ||= known.grouping !== grouping;
      }
  }

  /**
   * Whether what these kernels do to words matters to another that other threads, or other invocations, may be at. Of
   * two kernels of one grouping that both keep to their own element, the same thread runs both on it.
   */
  collides({ reads, writes, grouping }: Footprint): boolean {
    const isOther = ({ known }: Ranged<Groupings>): boolean => known.isSeveral || known.grouping !== grouping;
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
