import { describe, expect, it } from 'vitest';
import { normalNumbers, randomNumbers, seedOfRun } from '../../../../../scripts/vitest/draws.ts';
import { scatterOf } from '../../../src/fit/beam/swings.ts';

describe('the scatter of positions about a swing', () => {
  const [perFrame, decay] = [0.13, 0.05];
  const moments = Array.from({ length: 60 }, (_, k) => k);
  const swing = moments.map((k) => 3 + 2 * Math.exp(-decay * k) * Math.cos(2 * Math.PI * perFrame * k + 0.4));

  it('is that of their noise, to a quarter, whatever a jump adds', () => {
    const normal = normalNumbers(randomNumbers(seedOfRun('scatter of a swing', 5)));
    const noisy = swing.map((place, k) => place + 0.02 * normal() + (k === 30 ? 1 : 0));
    expect(scatterOf(noisy, moments, perFrame, decay) / 0.02).toBeGreaterThan(0.75);
    expect(scatterOf(noisy, moments, perFrame, decay) / 0.02).toBeLessThan(1.25);
  });

  it('is 0 without noise', () => {
    expect(scatterOf(swing, moments, perFrame, decay)).toBeLessThan(1e-9);
  });
});
