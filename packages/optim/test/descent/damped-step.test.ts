import { expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';

import { dampedStep } from '../../src/descent/damped-step.ts';

const SEED = seedOfRun('damped steps');
const random = randomNumbers(SEED);
const n = 5;
const signed = (): number => 2 * random() - 1;

it.each([0, 1e-3, 1])('with damping %d a step is in its box, and best in what the box leaves free', (lambda) => {
  for (let round = 0; round < 50; round++) {
    const rows = Array.from({ length: 2 * n }, () => Array.from({ length: n }, signed));
    const hessian = Array.from({ length: n * n }, (_, at) =>
      rows.reduce((sum, row) => sum + row[Math.floor(at / n)] * row[at % n], 0),
    );
    const gradient = Array.from({ length: n }, () => 10 * signed());
    const longest = Array.from({ length: n }, () => 0.2 + 3 * random());
    const step = dampedStep(hessian, gradient, lambda, longest);
    // Slope of the damped quadratic at the step: (H + lambda diag H) s + g.
    step.forEach((s, i) => {
      const slope = step.reduce(
        (sum, other, j) => sum + (1 + (i === j ? lambda : 0)) * hessian[i * n + j] * other,
        gradient[i],
      );
      expect(Math.abs(s)).toBeLessThanOrEqual(longest[i]);
      if (Math.abs(s) < longest[i]) expect(slope).toBeCloseTo(0, 9);
    });
  }
});

it('a coordinate that runs off leaves the steps of others as they are', () => {
  const hessian = [2, 1, 1e-12, 1, 3, 0, 1e-12, 0, 1e-20];
  const step = dampedStep(hessian, [1, 2, 1e-9], 0, [1, 1, 1]);
  expect([...step]).toEqual([expect.closeTo(-0.2, 9), expect.closeTo(-0.6, 9), -1]);
});

it('where rounding makes a curvature negative, the step is as long as that of a curvature of 0', () => {
  const singular = (rounding: number): number[] => [1, 1, 1, 1 - rounding];
  const [step, other] = [0, 1e-10].map((rounding) => dampedStep(singular(rounding), [1, 0.5], 1e-11, [1e13, 1e13]));
  expect(step[0]).toBeLessThan(-1e10);
  expect(other[0] / step[0]).toBeCloseTo(1, 3);
});
