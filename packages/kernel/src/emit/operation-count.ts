import type { Block, Region, RootBlock } from '../form/nodes.ts';
import { blocksOf, isConstantRange, isRegion, roundsOf } from '../form/walk.ts';
import type { BoundKernel } from './bound-kernel.ts';

/** Assumed rounds of a loop, where the number is not known. */
const ROUNDS = 8;

/** Operations of a kernel, about: its nodes times its invocations. */
export function operationsOf({ root, invocations }: BoundKernel): number {
  const counted = known.get(root) ?? count(root);
  known.set(root, counted);
  return counted * invocations;
}

/** Operations of an invocation. Asked for again and again while programs are shared out. */
const known = new WeakMap<RootBlock, number>();

function count(root: RootBlock): number {
  const operations = (block: Block): number =>
    block.nodes.reduce((sum, node) => {
      if (!isRegion(node)) return sum + 1;
      const inside = blocksOf(node).reduce((inner, each) => inner + operations(each), 0);
      return sum + 1 + inside * timesThrough(node);
    }, 0);
  return operations(root);
}

/** Number of times that the blocks of a region run. */
function timesThrough(region: Region): number {
  if (region.op === 'if') return 1;
  return isConstantRange(region) ? Math.max(ROUNDS, roundsOf(region)) : ROUNDS;
}

/** Operations below which a chunk costs less than passing its data on to another core: about a microsecond. */
export const CHUNK_WORK = 20_000;
/** Invocations below which a kernel is not cut into chunks: fewer than two vectors of single precision. */
const FEWEST_SHARED = 8;

/**
 * Operations that threads gain by sharing kernels: those of kernels that can be cut into chunks, less what the others cost,
 * of which each may have threads wait for one; none where a kernel must not be cut.
 */
export function sharedWork(kernels: readonly BoundKernel[]): number {
  if (!kernels.every((kernel) => kernel.isPartable)) return 0;
  const work = kernels.reduce(
    (sum, kernel) => sum + (kernel.invocations < FEWEST_SHARED ? -CHUNK_WORK : operationsOf(kernel)),
    0,
  );
  return Math.max(0, work);
}
