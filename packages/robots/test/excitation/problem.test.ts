// The gradient of the mean logarithm of standard errors against differences.

import { readUrdf } from '@gradsim/robots';
import { expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';

import { excitationProblem } from '../../src/excitation/problem.ts';
import { seriesAt, timesOf } from '../../src/excitation/series.ts';
import { ARM_URDF } from '../support/arms.ts';

const SEED = seedOfRun('excitation');

it('the gradient of standard errors and of what exceeds bounds is that of differences', async () => {
  const robot = await readUrdf(ARM_URDF);
  const bounds = ['shoulder', 'elbow'].map((joint) => ({
    joint,
    lower: -1,
    upper: 0.8,
    speed: 2,
    acceleration: 8,
    torque: 3,
  }));
  const series = seriesAt(timesOf(4, 0.05), 4, 1);
  const problem = excitationProblem(
    robot,
    series,
    { bounds, torqueNoise: [0.05, 0.02], rate: 200, gravity: [0, 0, -9.81], frictionWidth: 0.3 },
    SEED,
  );
  const random = randomNumbers(SEED + 1);
  const x = problem.start.map((value) => 2 * value + 0.2 * (random() - 0.5));
  const { gradient } = problem.evaluate(x, 30);
  for (let k = 0; k < x.length; k++) {
    const at = (by: number): number =>
      problem.evaluate(
        x.map((value, i) => (i === k ? value + by : value)),
        30,
      ).loss;
    const difference = (at(1e-5) - at(-1e-5)) / 2e-5;
    expect(Math.abs(gradient[k] - difference), `${k}, seed ${SEED}`).toBeLessThan(1e-4 * (1 + Math.abs(difference)));
  }
});
