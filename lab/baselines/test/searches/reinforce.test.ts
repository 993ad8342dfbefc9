import { expect, it } from 'vitest';
import { randomNumbers } from '../../../../scripts/vitest/draws.ts';
import { randomSearch } from '../../src/searches/random-search.ts';
import { policyStep, reinforce, rewardsOf } from '../../src/searches/reinforce.ts';

// The corners of a square are a quadrature that has the mean and the covariance of a standard normal distribution.
const CORNERS = [
  [1, 1],
  [1, -1],
  [-1, 1],
  [-1, -1],
];

it('the policy step of REINFORCE over the noise is the gradient of a linear reward, and has unit length if rewards are normalised', () => {
  const gradient = [3, -4];
  const noise = 0.05;
  const losses = CORNERS.map(([a, b]) => 7 - noise * (gradient[0] * a + gradient[1] * b));
  // E[r (x - m)] / s^2 = a for r = a.x + c.
  const step = policyStep(
    losses.map((loss) => -loss),
    CORNERS,
  );
  expect(step[0] / noise).toBeCloseTo(gradient[0], 12);
  expect(step[1] / noise).toBeCloseTo(gradient[1], 12);
  // The standard deviation of the reward is s |a|.
  const normalised = policyStep(rewardsOf(losses), CORNERS);
  expect(normalised[0]).toBeCloseTo(3 / 5, 12);
  expect(normalised[1]).toBeCloseTo(-4 / 5, 12);
});

it('a run of infinite loss gets the lowest reward of the other runs, and equal losses get zero rewards', () => {
  expect(rewardsOf([1, 3, Number.POSITIVE_INFINITY])).toEqual(rewardsOf([1, 3, 3]));
  expect(rewardsOf([2, 2])).toEqual([0, 0]);
  expect(rewardsOf([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY])).toEqual([0, 0]);
});

it('REINFORCE converges to the minimum as its noise decays', async () => {
  const box = {
    dimension: 2,
    losses: async (points: readonly (readonly number[])[]) => points.map(([x, y]) => (x - 0.7) ** 2 + (y - 0.4) ** 2),
  };
  const settings = { samples: 10, steps: 200, noise: 0.2, noiseDecay: 0.96, rate: 1, rateDecay: 1 };
  const [x, y] = await reinforce(box, { ...settings, start: [0.1, 0.9], random: randomNumbers(1) });
  expect(x).toBeCloseTo(0.7, 2);
  expect(y).toBeCloseTo(0.4, 2);
});

it('random search returns the best of the allowed number of points, including the initial one', async () => {
  const seen: number[] = [];
  const losses = async (points: readonly (readonly number[])[]) => {
    seen.push(...points.map(([x]) => x));
    return points.map(([x]) => x);
  };
  const { point } = await randomSearch(
    { dimension: 1, losses },
    { simulations: 21, start: [0.5], random: randomNumbers(1) },
  );
  expect(seen).toHaveLength(21);
  expect(seen[0]).toBe(0.5);
  expect(point[0]).toBe(Math.min(...seen));
});
