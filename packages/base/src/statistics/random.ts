/**
 * Generator of uniform random numbers in [0, 1) from a seed, the same on every machine. Source: mulberry32 by Tommy
 * Ettinger.
 */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * Draws a number from the standard normal distribution, using two uniform ones. Source: G. E. P. Box and M. E. Muller,
 * 1958.
 */
export const standardNormal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
