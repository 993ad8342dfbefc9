import type { Device } from '../../devices/device.ts';
import { sizeOfAccumulator } from '../../emit/bind/accumulators.ts';
import type { Shape } from '../memory/places.ts';

// Additions in loops with an unknown number of iterations cannot have a slot each. So that they add in place, in an
// order that does not depend on threads, a kernel's elements are partitioned among a fixed number of invocations; each
// adds to a private accumulator, and then the accumulators are summed.

interface AccumulatorLimits {
  /** Maximum invocations that elements are partitioned among. */
  readonly partitions: number;
  /** Maximum words in all accumulators of a field, unless the minimum number of accumulators needs more. */
  readonly words: number;
  /** Maximum accumulator elements, which have to be cleared and summed, per element that adds. */
  readonly targets: number;
}
/** For a CPU: the lanes of a few threads, whose accumulators lie in its cache, or nearly. */
const CPU_LIMITS: AccumulatorLimits = { partitions: 64, words: 2 ** 22, targets: 16 };
/** For a GPU, of which 64 invocations leave nearly all idle. */
const GPU_LIMITS: Omit<AccumulatorLimits, 'words'> = { partitions: 512, targets: 64 };
/** Minimum invocations: those that run side by side in SIMD lanes. */
const MIN_PARTITIONS = 4;

/**
 * Returns the number of private accumulators for a field of this shape to which `elements` elements add: a power of
 * two.
 *
 * @param words maximum of the device, where it has one: many accumulators then.
 */
export function accumulatorsFor(
  elements: number,
  { elements: targets, components, worlds }: Pick<Shape, 'elements' | 'components' | 'worlds'>,
  words: Device['accumulatorWords'],
): number {
  const most = words === undefined ? CPU_LIMITS : { ...GPU_LIMITS, words };
  const least = worlds >= MIN_PARTITIONS ? 1 : MIN_PARTITIONS;
  const ofWork = (most.targets * elements) / sizeOfAccumulator(targets);
  const ofMemory = most.words / (sizeOfAccumulator(targets) * components * worlds);
  return Math.max(least, 2 ** Math.floor(Math.log2(Math.max(1, Math.min(most.partitions, ofWork, ofMemory)))));
}
