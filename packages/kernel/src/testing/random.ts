/**
 * Returns a generator of repeatable random numbers in [0, 1), the same on every machine. Source: mulberry32 by Tommy
 * Ettinger.
 */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `count` numbers in [low, high). */
export function randomValues(random: () => number, count: number, low = -1, high = 1): Float64Array {
  return Float64Array.from({ length: count }, () => low + (high - low) * random());
}

/** Returns a random seed for a run that was given none; the result and every message name it. */
export const freshSeed = (): number => Math.floor(Math.random() * 2 ** 31);
