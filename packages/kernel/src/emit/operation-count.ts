import type { Block, Region, RootBlock } from '../form/nodes.ts';
import { blocksOf, isConstantRange, isRegion, roundsOf } from '../form/walk.ts';
import type { BoundKernel } from './bound-kernel.ts';

/** Assumed number of iterations of a loop if it is not known. */
const ASSUMED_ITERATIONS = 8;

/** Estimates the number of operations in a run of a kernel: its nodes times its invocations. */
export function operationsOf({ root, invocations }: BoundKernel): number {
  const counted = countByBlock.get(root) ?? count(root);
  countByBlock.set(root, counted);
  return counted * invocations;
}

/** Cache of the number of operations per invocation, by kernel code. */
const countByBlock = new WeakMap<RootBlock, number>();

function count(root: RootBlock): number {
  const operations = (block: Block): number =>
    block.nodes.reduce((sum, node) => {
      if (!isRegion(node)) return sum + 1;
      const inside = blocksOf(node).reduce((inner, each) => inner + operations(each), 0);
      return sum + 1 + inside * timesThrough(node);
    }, 0);
  return operations(root);
}

/** Returns the assumed number of runs of a region's blocks. */
function timesThrough(region: Region): number {
  if (region.op === 'if') return 1;
  return isConstantRange(region) ? Math.max(ASSUMED_ITERATIONS, roundsOf(region)) : ASSUMED_ITERATIONS;
}

/**
 * Number of operations, about a microsecond's worth, below which running a chunk takes less time than moving its data
 * to another core.
 */
export const CHUNK_WORK = 20_000;
/** Minimum number of invocations of a kernel that is cut into chunks: two SIMD vectors in single precision. */
const MIN_SHARED = 8;

/**
 * Estimates the operations that threads gain by sharing kernels: operations of all kernels that can be cut into chunks,
 * minus a fixed cost for each of the others, during which threads may wait for one. 0 if a kernel must not be cut.
 */
export function sharedWork(kernels: readonly BoundKernel[]): number {
  if (!kernels.every((kernel) => kernel.isPartitionable)) return 0;
  const work = kernels.reduce(
    (sum, kernel) => sum + (kernel.invocations < MIN_SHARED ? -CHUNK_WORK : operationsOf(kernel)),
    0,
  );
  return Math.max(0, work);
}
