import { seedOfRun } from '../../../../scripts/vitest/draws.ts';

/** Returns a generator of repeatable random numbers in [0, 1). Source: mulberry32, T. Ettinger, public domain. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a generator with a fresh seed, which is printed so that a failure can be repeated. */
export function seeded(label: string): () => number {
  return randomFrom(seedOfRun(label));
}

/** Random fields, from a generator whose seed is printed under `label`. */
export function randomFields(label: string) {
  const random = seeded(label);
  return {
    random,
    numbers: (count: number, low = -2, high = 2): Float32Array =>
      Float32Array.from({ length: count }, () => low + (high - low) * random()),
    wholes: (count: number, low: number, high: number): number[] =>
      Array.from({ length: count }, () => Math.floor(low + (high - low) * random())),
  };
}
