import { collide, dependOnOrder } from './barriers.ts';
import type { BoundKernel, Footprint } from './bind.ts';

/** Kernels of one grouping that every invocation runs one after another, each finding what those before it wrote. */
export type Strand<K extends Footprint = BoundKernel> = readonly K[];

/** Strands side by side: what one of them does is nothing to the others. */
export type Dispatch<K extends Footprint = BoundKernel> = readonly Strand<K>[];

/**
 * A program as the fewest dispatches that the flow of its data allows. Each kernel goes into the first dispatch in
 * which it finds all that it needs: beside others that it has nothing to do with, or behind those of its grouping
 * that only wrote to its own element.
 */
export function dispatchesOf<K extends Footprint>(kernels: readonly K[]): Dispatch<K>[] {
  const dispatches: K[][][] = [];
  for (const kernel of kernels) {
    let at = 0;
    let strand: K[] | undefined;
    dispatches.forEach((strands, d) => {
      const before = strands.filter((s) => s.some((other) => dependOnOrder(other, kernel)));
      if (before.length === 0) return;
      const canFollow =
        before.length === 1 &&
        before[0][0].grouping === kernel.grouping &&
        !before[0].some((other) => collide(other, kernel));
      at = canFollow ? d : d + 1;
      strand = canFollow ? before[0] : undefined;
    });
    if (strand) {
      strand.push(kernel);
      continue;
    }
    if (at === dispatches.length) dispatches.push([]);
    dispatches[at].push([kernel]);
  }
  return dispatches;
}

/** The most invocations of a workgroup on every WebGPU device. */
const LARGEST_WORKGROUP = 256;

/**
 * Whether a program fits into one workgroup, which then can run row after row by itself. Several workgroups could share
 * the worlds out; on a software driver that took up to five times as long as dispatches of their own.
 */
export const fitsWorkgroup = (kernels: readonly Pick<BoundKernel, 'invocations'>[]): boolean =>
  kernels.length > 0 && kernels.every(({ invocations }) => invocations <= LARGEST_WORKGROUP);
