/** Gives the next number in [0, 1). */
export type Random = () => number;

export const between = (random: Random, low: number, high: number): number => low + (high - low) * random();

/** Even over the logarithm. */
export const logBetween = (random: Random, low: number, high: number): number => low * (high / low) ** random();

export const wholeBetween = (random: Random, low: number, high: number): number =>
  low + Math.floor((high - low + 1) * random());

/** From a standard normal distribution (G. E. P. Box and M. E. Muller, 1958). */
export const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** A value even over the logarithm of a range, at least a factor of 2 away from another. */
export function farFrom(random: Random, truth: number, [low, high]: readonly [number, number]): number {
  for (;;) {
    const value = logBetween(random, low, high);
    if (Math.abs(Math.log(value / truth)) > Math.log(2)) return value;
  }
}
