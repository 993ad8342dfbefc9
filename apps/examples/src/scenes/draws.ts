export { standardNormal as normal } from '@gradsim/numeric';

/** Gives the next number in [0, 1). */
export type Random = () => number;

export const between = (random: Random, low: number, high: number): number => low + (high - low) * random();

/** Even over the logarithm. */
export const logBetween = (random: Random, low: number, high: number): number => low * (high / low) ** random();

export const wholeBetween = (random: Random, low: number, high: number): number =>
  low + Math.floor((high - low + 1) * random());

/** A value even over the logarithm of a range, at least a factor of 2 away from another. */
export function farFrom(random: Random, truth: number, [low, high]: readonly [number, number]): number {
  for (;;) {
    const value = logBetween(random, low, high);
    if (Math.abs(Math.log(value / truth)) > Math.log(2)) return value;
  }
}
