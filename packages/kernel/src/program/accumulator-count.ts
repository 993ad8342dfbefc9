import type { Device } from '../devices/device.ts';
import { sizeOfAccumulator } from '../emit/accumulators.ts';
import type { Shape } from './places.ts';

// Additions in loops with an unknown number of iterations cannot have a slot each. So that they add in place, in an
// order that does not depend on threads, a kernel's elements are partitioned among a fixed number of invocations; each
// adds to a private accumulator, and then the accumulators are summed.

interface Most {
  /** Maximum invocations that elements are partitioned among. */
  readonly partitions: number;
  /** Maximum words in all accumulators of a field, unless the minimum number of accumulators needs more. */
  readonly words: number;
  /** Maximum accumulator elements, which have to be cleared and summed, per element that adds. */
  readonly targets: number;
}
/** For some threads of SIMD lanes, whose accumulators lie in the cache, or nearly. */
const ON_A_CPU: Most = { partitions: 64, words: 2 ** 22, targets: 16 };
/** For a GPU, which is idle but for some of its thousands of invocations otherwise; 128 MB is what it can spare. */
const ON_A_GPU: Most = { partitions: 512, words: 2 ** 25, targets: 64 };
/** Minimum invocations: those that run side by side in SIMD lanes. */
const MIN_PARTITIONS = 4;

/**
 * Returns the number of private accumulators for a field of this shape to which `elements` elements add: a power of
 * two.
 *
 * @param scatters of the device: `sorted` where one invocation is slow, so that many have to share the work.
 */
export function accumulatorsFor(
  elements: number,
  { elements: targets, components, worlds }: Pick<Shape, 'elements' | 'components' | 'worlds'>,
  scatters: Device['scatters'],
): number {
  const most = scatters === 'sorted' ? ON_A_GPU : ON_A_CPU;
  const least = worlds >= MIN_PARTITIONS ? 1 : MIN_PARTITIONS;
  const ofWork = (most.targets * elements) / sizeOfAccumulator(targets);
  const ofMemory = most.words / (sizeOfAccumulator(targets) * components * worlds);
  return Math.max(least, 2 ** Math.floor(Math.log2(Math.max(1, Math.min(most.partitions, ofWork, ofMemory)))));
}
