import { sizeOfAccumulator } from '../emit/accumulators.ts';
import type { Shape } from './places.ts';

// Additions in loops of which nobody knows how many rounds they make: there is no slot for each. So that they add where
// they happen, in an order that does not depend on threads, a kernel's elements are partitioned among so many
// invocations, each of which goes through its own and adds to a private accumulator that is its alone; then the
// accumulators are summed.

/** The most invocations that elements are partitioned among. */
const MOST = 64;
/** Invocations that run side by side in the lanes of a vector. */
const LEAST = 4;
/** The words that all accumulators may have, unless the fewest have more. */
const MOST_WORDS = 2 ** 22;
/** Most elements of a private accumulator that are cleared and summed for each element that adds to it. */
const TARGETS_PER_ELEMENT = 16;

/** Number of private accumulators for a field of this shape that so many elements add to: a power of two. */
export function accumulatorsFor(
  elements: number,
  { elements: targets, components, worlds }: Pick<Shape, 'elements' | 'components' | 'worlds'>,
): number {
  const least = worlds >= LEAST ? 1 : LEAST;
  const ofWork = (TARGETS_PER_ELEMENT * elements) / sizeOfAccumulator(targets);
  const ofMemory = MOST_WORDS / (sizeOfAccumulator(targets) * components * worlds);
  return Math.max(least, 2 ** Math.floor(Math.log2(Math.max(1, Math.min(MOST, ofWork, ofMemory)))));
}
