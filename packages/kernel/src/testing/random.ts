export { randomNumbers } from '@gradsim/base';

/** `count` numbers in [low, high). */
export function randomValues(random: () => number, count: number, low = -1, high = 1): Float64Array {
  return Float64Array.from({ length: count }, () => low + (high - low) * random());
}

/** Returns a random seed for a run that was given none; the result and every message name it. */
export const freshSeed = (): number => Math.floor(Math.random() * 2 ** 31);
