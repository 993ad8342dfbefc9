import { cpuDevice } from '@gradsim/core';
import { ringGoal, smokeLoss } from '@gradsim/examples';
import smokeControl from '@gradsim/examples/smoke-control';
import { estimate } from '@gradsim/optim';
import { expect, it } from 'vitest';

const context = { device: cpuDevice(), settings: { size: '30', steps: '40' }, log: () => {} };

it('optimised initial velocities reduce the mean squared difference of smoke from a ring to a tenth', async () => {
  const [stage] = await smokeControl.stages(context);
  const found = await estimate(stage.problem, { device: context.device });
  const goal = ringGoal(30);
  const [start, end] = [found.goal!.start!, smokeLoss(found, stage.problem, goal)];
  console.info(`mean square of what differs: ${start.toFixed(4)}, then ${end.toFixed(4)}`);
  expect(end).toBeLessThan(start / 10);
  expect(found.goal).toMatchObject({ reached: true, distance: end });
  expect(found.loss).toBeCloseTo(end, 6);
  const { frames, estimate: shown } = await stage.strip!(found);
  expect(frames).toEqual([0, 6, 11, 17, 23, 29, 34, 40]);
  // The last picture is what was found.
  const last = (await shown(frames.length - 1)).filter((_, k) => k % 3 === 0);
  expect(last).toHaveLength(30 * 30);
  const difference = last.reduce((sum, d, k) => sum + (d - goal.density[k]) ** 2, 0) / last.length;
  expect(difference).toBeCloseTo(end, 5);
});

it('smoke control renders a film of two frames', async () => {
  const { width, height, data } = await smokeControl.render!(context);
  expect([width, height, data.length]).toEqual([30, 30, 2 * 3 * 30 * 30]);
});
