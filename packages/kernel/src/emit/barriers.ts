import type { Access, Footprint } from './bind.ts';

const overlap = (x: Access, y: Access): boolean =>
  (x.region === y.region || x.region === 'anywhere' || y.region === 'anywhere') &&
  x.from < y.to &&
  y.from < x.to;

function clash(a: Footprint, b: Footprint, isTogether: boolean): boolean {
  const some = (xs: readonly Access[], ys: readonly Access[]): boolean => {
    for (let n = 0; n < xs.length; n++) {
      const x = xs[n];
      for (let m = 0; m < ys.length; m++) {
        const y = ys[m];
        if (overlap(x, y) && !(isTogether && x.isOwn && y.isOwn)) return true;
      }
    }
    return false;
  };
  return some(a.writes, b.reads) || some(a.writes, b.writes) || some(a.reads, b.writes);
}

/** Whether the order of two kernels matters. */
export const dependOnOrder = (a: Footprint, b: Footprint): boolean => clash(a, b, false);

/** Whether what one kernel does to words matters to another that other threads, or other invocations, may be at. */
export const collide = (a: Footprint, b: Footprint): boolean => clash(a, b, a.grouping === b.grouping);

/**
 * Before which kernels of a program all threads meet, so that each sees what those before it wrote. Kernels of one
 * grouping are shared out among threads together, so what a kernel finds at its own element was written by the same
 * thread.
 * @param meetsBetween whether threads meet before the program runs again; otherwise what ends one row is followed by
 * what begins the next.
 */
export function barriersOf(kernels: readonly Footprint[], meetsBetween = false): boolean[] {
  const barriers = kernels.map(() => false);
  let since: Footprint[] = [];
  for (let round = 0; round < (meetsBetween ? 1 : 2); round++) {
    kernels.forEach((kernel, k) => {
      if (barriers[k] || since.some((before) => collide(before, kernel))) {
        barriers[k] = true;
        since = [];
      }
      since.push(kernel);
    });
  }
  return barriers;
}
