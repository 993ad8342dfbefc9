// Gradients that are too long are shortened, and the iteration reports their length.
import { cpuDevice } from '@gradsim/core';
import type { Problem, SearchOptions } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { expect, test } from 'vitest';
import { carts, TRACK } from '../carts.ts';

const problem = (search: SearchOptions): Problem => ({
  model: carts(1),
  ...TRACK,
  parameters: [{ name: 'speed', field: 'carts.velocity', initial: 3, unit: 'm/s' }],
  losses: [{ field: 'carts.off', frames: 'last', weight: 40 }],
  options: { search: { iterations: 2, learningRate: 0.1, ...search } },
});
const device = cpuDevice();

test('sgd steps by a clipped gradient are learning rate times clip in units of the scale; its original length is reported', async () => {
  // The cart rolls for half a second: the loss is 40 (0.5 v), which a natural step, 3 m/s, changes by 60.
  const free = await estimate(problem({ method: 'sgd', momentum: 0 }), { device });
  const clipped = await estimate(problem({ method: 'sgd', momentum: 0, clip: 2 }), { device });
  const speeds = (history: typeof free.history) => history.map(({ parameters }) => parameters.speed);
  const steps = (of: readonly number[]) => of.slice(1).map((v, k) => of[k] - v);
  for (const step of steps(speeds(free.history))) expect(step).toBeCloseTo(0.1 * 60 * 3, 4);
  for (const step of steps(speeds(clipped.history))) expect(step).toBeCloseTo(0.1 * 2 * 3, 4);
  for (const { clipped: length } of free.history) expect(length).toBeUndefined();
  for (const { clipped: length } of clipped.history) expect(length).toBeCloseTo(60, 3);
});

test('a gradient shorter than the clip is not reported as clipped', async () => {
  const { history } = await estimate(problem({ method: 'adam', clip: 1e4 }), { device });
  expect(history.every(({ clipped }) => clipped === undefined)).toBe(true);
});

test.each([
  [
    { method: 'adam', clip: 0 },
    { code: 'optim/option-out-of-range', values: ['is 0'] },
  ],
  [
    { method: 'l-bfgs', clip: 1 },
    { code: 'optim/option-of-other-method', values: ['shortens gradients of adam and sgd'] },
  ],
  [
    { method: 'adam', attainable: 0 },
    { code: 'optim/option-of-other-method', values: ['attainable'] },
  ],
  [
    { method: 'l-bfgs', attainable: Number.NaN },
    { code: 'optim/option-out-of-range', values: ['NaN'] },
  ],
  [
    { method: 'l-bfgs', attainable: 0, remainder: 0 },
    { code: 'optim/option-out-of-range', values: [0, 'remainder'] },
  ],
] as const)('clip, attainable and remainder are refused if invalid or unused: %o', async (search, expected) => {
  await expect(estimate(problem(search), { device })).rejects.toThrowCode(expected);
});
