import { randomNumbers } from '@gradsim/base';

/** A generator of random numbers: each call returns the next one in [0, 1). */
export type Random = () => number;

/**
 * Creates a generator of random numbers for a combination of integers, such as seed, sample and attempt; different
 * combinations give independent numbers.
 */
export function randomOf(...keys: readonly number[]): Random {
  // FNV-1a over the bytes, then the finalizer of MurmurHash3.
  let hash = 0x811c9dc5;
  for (const key of keys)
    for (let shift = 0; shift < 32; shift += 8) hash = Math.imul(hash ^ ((key >>> shift) & 0xff), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return randomNumbers(hash ^ (hash >>> 16));
}

export const between = (random: Random, low: number, high: number): number => low + (high - low) * random();

export const oneOf = <T>(random: Random, values: readonly T[]): T => values[Math.floor(random() * values.length)];

/** A unit quaternion (x, y, z, w), uniform over rotations. Source: K. Shoemake, 1992. */
export function randomRotation(random: Random): number[] {
  const [a, b, c] = [random(), 2 * Math.PI * random(), 2 * Math.PI * random()];
  const [r, s] = [Math.sqrt(1 - a), Math.sqrt(a)];
  return [r * Math.sin(b), r * Math.cos(b), s * Math.sin(c), s * Math.cos(c)];
}
