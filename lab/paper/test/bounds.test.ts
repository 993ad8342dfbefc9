import { f64Device } from '@gradsim/core';
import { estimate, type ParameterSpec, type Problem } from '@gradsim/optim';
import { beforeAll, expect, it } from 'vitest';
import { boundsAtTruth } from '../src/bounds.ts';
import { swingCase } from '../src/table-3/swing.ts';

const device = f64Device();
let problem: Problem;
let angle: ParameterSpec;
beforeAll(async () => {
  ({ problem } = await swingCase(1)(1, device));
  [angle] = problem.parameters!;
});

it('error bounds at the truth are within 5 % of the standard errors of a fit that starts there', async () => {
  const { observations = [] } = problem;
  const { parameters } = await estimate(
    {
      ...problem,
      parameters: [{ ...angle, initial: angle.truth! }],
      observations: observations.map((observation) => ({ ...observation, noise: 1 / 255, leastShare: 1 })),
      options: { search: { iterations: 1, horizons: [1] } },
    },
    { device },
  );
  const { bound, isDetermined } = (await boundsAtTruth(problem, device))[angle.name];
  // Differences over 0.01 rad also hold the curvature of the film.
  expect(bound / parameters[angle.name].standardError!).toBeCloseTo(1, 1);
  expect(isDetermined).toBe(true);
});

it('two unknowns that set the same value have infinite error bounds', async () => {
  const bounds = await boundsAtTruth({ ...problem, parameters: [angle, { ...angle, name: 'again' }] }, device);
  const none = { bound: Number.POSITIVE_INFINITY, isDetermined: false };
  expect(Object.values(bounds)).toEqual([none, none]);
});
