export { standardNormal as normal } from '@gradsim/base';

/** Random number generator: returns the next number in [0, 1). */
export type Random = () => number;

export const between = (random: Random, low: number, high: number): number => low + (high - low) * random();

/** Random number between `low` and `high` whose logarithm is uniformly distributed. */
export const logBetween = (random: Random, low: number, high: number): number => low * (high / low) ** random();

export const wholeBetween = (random: Random, low: number, high: number): number =>
  low + Math.floor((high - low + 1) * random());

/**
 * Random number in a range, with uniformly distributed logarithm, that differs from `truth` by at least a factor of 2.
 */
export function startFarFrom(random: Random, truth: number, [low, high]: readonly [number, number]): number {
  for (;;) {
    const value = logBetween(random, low, high);
    if (Math.abs(Math.log(value / truth)) > Math.log(2)) return value;
  }
}
