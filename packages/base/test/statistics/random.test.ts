import { describe, expect, it } from 'vitest';
import { mean, randomNumbers, standardNormal, sumOfSquares } from '../../src/index.ts';

describe('random numbers', () => {
  it('are reproducible for a seed, differ between seeds, and begin as published for mulberry32 of seed 1', () => {
    const first = (seed: number) => Array.from({ length: 3 }, randomNumbers(seed));
    expect(first(7)).toEqual(first(7));
    expect(first(7)).not.toEqual(first(8));
    // mulberry32 of seed 1, published with the generator.
    expect(Math.round(randomNumbers(1)() * 2 ** 32)).toBe(2693262067);
  });

  it('lie in [0, 1) with mean 0.5; those of standardNormal have mean 0 and variance 1', () => {
    const count = 100_000;
    const uniform = Array.from({ length: count }, randomNumbers(2));
    expect(Math.min(...uniform.slice(0, 1000))).toBeGreaterThanOrEqual(0);
    expect(uniform.every((x) => x < 1)).toBe(true);
    // Five standard errors of a mean: 1 / sqrt(12 n), and 1 / sqrt(n) and sqrt(2 / n) of the normal ones.
    expect(Math.abs(mean(uniform) - 0.5)).toBeLessThan(5 / Math.sqrt(12 * count));
    const random = randomNumbers(3);
    const normal = Array.from({ length: count }, () => standardNormal(random));
    expect(Math.abs(mean(normal))).toBeLessThan(5 / Math.sqrt(count));
    expect(Math.abs(sumOfSquares(normal) / count - 1)).toBeLessThan(5 * Math.sqrt(2 / count));
  });
});
