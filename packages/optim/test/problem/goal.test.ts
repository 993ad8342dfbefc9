// Problems with a goal: the verdict says whether it is reached, and nothing about measurements.
import { cpuDevice } from '@gradsim/core';
import type { GoalSpec, Problem } from '@gradsim/optim';
import { estimate, infer } from '@gradsim/optim';
import { afterAll, expect, test } from 'vitest';
import { carts, TRACK } from '../carts.ts';

const device = cpuDevice();
afterAll(() => device.dispose());

/** Problem of a cart with an initial speed of 3 m/s, which should be at x = 0 after half a second. */
const problem = (iterations: number, goal: GoalSpec): Problem => ({
  model: carts(1),
  ...TRACK,
  goal,
  parameters: [{ name: 'speed', field: 'carts.velocity', initial: 3, unit: 'm/s' }],
  losses: [
    {
      name: 'off',
      recordedFields: { off: 'carts.off' },
      evaluate: ({ off: seen }) => {
        const [gradient, last] = [new Float64Array(seen.length), seen.length - 1];
        gradient[last] = 2 * seen[last];
        return { value: seen[last] ** 2, gradient: { off: gradient } };
      },
    },
  ],
  options: { search: { method: 'l-bfgs', iterations, attainable: 0 } },
});
const off = (within: GoalSpec['within']): GoalSpec => ({
  field: 'carts.off',
  within,
  unit: 'm',
  distance: (values) => Math.abs(values[values.length - 1]),
});

test('a reached goal reports its distance, at each iteration too, and the estimate is trusted', async () => {
  const { goal, verdict, history } = await estimate(problem(20, off(1e-3)), { device });
  expect(verdict.trusted).toBe(true);
  expect(goal).toMatchObject({ reached: true, within: 1e-3, unit: 'm' });
  expect(goal!.start).toBeCloseTo(1.5, 5);
  expect(goal!.distance).toBeLessThan(1e-3);
  // Every iteration reports the best distance so far: here the root of its loss.
  for (const { distance, loss } of history) expect(distance).toBeCloseTo(Math.sqrt(loss), 5);
  expect(goal!.note).toMatch(/^The goal is reached: .* m from the goal, of 1\.5 m at the start; 0\.001 m counts/);
});

test('a missed goal reports its distance and what stopped the search, and the estimate is trusted', async () => {
  const { goal, verdict } = await estimate(problem(0, off({ ofStart: 0.01 })), { device });
  expect(verdict.trusted).toBe(true);
  expect(goal).toMatchObject({ reached: false });
  expect(goal!.within).toBeCloseTo(0.015, 6);
  expect(goal!.distance).toBeCloseTo(1.5, 5);
  expect(goal!.note).toMatch(/not reached: 1\.5 m .* The iterations allowed were over\.$/);
});

test('a goal given as a share of the distance at the start refers to the initial values, even if the search starts at others', async () => {
  const { parameters = [], ...rest } = problem(0, off({ ofStart: 0.01 }));
  const further = { ...rest, parameters: [{ ...parameters[0], start: 0.002 }] };
  const { goal } = await estimate(further, { device });
  expect(goal).toMatchObject({ reached: true });
  expect(goal!.start).toBeCloseTo(1.5, 5);
});

test('a point found elsewhere that misses the goal is told without a reason for the end of a search', async () => {
  const { goal } = await infer(problem(20, off(1e-3)), { parameters: { speed: 1 } }, { device });
  expect(goal).toMatchObject({ reached: false });
  expect(goal!.distance).toBeCloseTo(0.5, 5);
  expect(goal!.note).toMatch(/0\.001 m counts as there\.$/);
});

test('a distance of NaN does not reach the goal, and is reported as null', async () => {
  const { goal } = await estimate(problem(0, { ...off(1), distance: () => Number.NaN }), { device });
  expect(goal).toMatchObject({ reached: false, distance: null, start: null });
});

test.each([
  [off(-1), { code: 'optim/option-out-of-range', values: [-1] }],
  [off({ ofStart: Number.NaN }), { code: 'optim/option-out-of-range', values: ['NaN'] }],
  [{ ...off(1), distance: undefined } as never, { code: 'optim/no-function', values: ['`distance`'] }],
  [{ ...off(1), near: 1 } as never, { code: 'base/unknown-option', values: ['near'] }],
])('a goal within -1 m or NaN, without distance or misspelt is refused (case %#)', async (goal, expected) => {
  await expect(estimate(problem(1, goal), { device })).rejects.toThrowCode(expected);
});
