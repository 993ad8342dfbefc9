import { randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';

/** Returns a generator with a fresh seed, which is printed so that a failure can be repeated. */
export function seeded(label: string): () => number {
  return randomNumbers(seedOfRun(label));
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
