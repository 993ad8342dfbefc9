import type { Block, Region } from '../form/nodes.ts';
import { blocksOf, isConstantRange, isRegion, roundsOf } from '../form/walk.ts';
import type { BoundKernel } from './bound-kernel.ts';

/** Assumed rounds of a loop, where the number is not known. */
const ROUNDS = 8;

/** Operations of a kernel, about: its nodes times its invocations. */
export function operationsOf(kernel: BoundKernel): number {
  const counted = known.get(kernel) ?? count(kernel);
  known.set(kernel, counted);
  return counted;
}

/** Asked for again and again while programs are shared out. */
const known = new WeakMap<BoundKernel, number>();

function count({ root, invocations }: BoundKernel): number {
  const operations = (block: Block): number =>
    block.nodes.reduce((sum, node) => {
      if (!isRegion(node)) return sum + 1;
      const inside = blocksOf(node).reduce((inner, each) => inner + operations(each), 0);
      return sum + 1 + inside * timesThrough(node);
    }, 0);
  return operations(root) * invocations;
}

/** Number of times that the blocks of a region run. */
function timesThrough(region: Region): number {
  if (region.op === 'if') return 1;
  return isConstantRange(region) ? Math.max(ROUNDS, roundsOf(region)) : ROUNDS;
}

/** Operations that threads can share: those of all kernels, or none where one of them cannot be parted. */
export const sharedWork = (kernels: readonly BoundKernel[]): number =>
  kernels.every((kernel) => kernel.isPartable) ? kernels.reduce((sum, kernel) => sum + operationsOf(kernel), 0) : 0;
