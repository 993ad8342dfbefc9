import { sizeOfAccumulator } from '../emit/accumulators.ts';
import type { Shape } from './places.ts';

// Additions in loops with an unknown number of iterations cannot have a slot each. So that they add in place, in an
// order that does not depend on threads, a kernel's elements are partitioned among a fixed number of invocations; each
// adds to a private accumulator, and then the accumulators are summed.

/** Maximum invocations that elements are partitioned among. */
const MAX_PARTITIONS = 64;
/** Minimum invocations: those that run side by side in SIMD lanes. */
const MIN_PARTITIONS = 4;
/** Maximum number of words in all accumulators of a field, unless the minimum number of accumulators needs more. */
const MAX_WORDS = 2 ** 22;
/** Maximum accumulator elements, which have to be cleared and summed, per element that adds. */
const TARGETS_PER_ELEMENT = 16;

/**
 * Returns the number of private accumulators for a field of this shape to which `elements` elements add: a power of
 * two.
 */
export function accumulatorsFor(
  elements: number,
  { elements: targets, components, worlds }: Pick<Shape, 'elements' | 'components' | 'worlds'>,
): number {
  const least = worlds >= MIN_PARTITIONS ? 1 : MIN_PARTITIONS;
  const ofWork = (TARGETS_PER_ELEMENT * elements) / sizeOfAccumulator(targets);
  const ofMemory = MAX_WORDS / (sizeOfAccumulator(targets) * components * worlds);
  return Math.max(least, 2 ** Math.floor(Math.log2(Math.max(1, Math.min(MAX_PARTITIONS, ofWork, ofMemory)))));
}
