import { standardNormal } from '@gradsim/base';
import { secondsSince } from '@gradsim/baselines';
import { type Device, selectDevice } from '@gradsim/core';
import type { ControlName, ControlTask, Goal } from '@gradsim/examples';
import { CONTROL_TASKS, errorsOfValues, goalOf, reach } from '@gradsim/examples';
import { type Estimate, randomNumbers } from '@gradsim/optim';
import { defineStudy, grid, seeds } from 'gradsim/study';
import { blendOf } from '../blends/blend.ts';

/** Quantity that the search compares: a picture of the goal, the centre of mass, or nothing, for random policies. */
export const SUPERVISIONS = ['image', 'state', 'random'] as const;

/** Settings of a trial. */
export interface Settings {
  readonly instance: number;
  readonly task: ControlName;
  readonly by: (typeof SUPERVISIONS)[number];
}

/** Result of a trial. */
export interface Found {
  /** Mean squared error of the position, m^2: after each iteration, or of each random policy. */
  readonly errors: readonly number[];
  /** Motions at the start and as found, and the goal, as data URLs: of the first seed, from one image. */
  readonly pictures?: { readonly start: string; readonly found: string; readonly goal: string };
  readonly seconds: number;
}

/** Iterations of the searches; the paper calls the walker solved within 3. */
export const ITERATIONS: Readonly<Record<ControlName, number>> = { walker: 6, gear: 20, 'cloth-throw': 50 };
/** Random policies of a task and seed. */
const POLICIES = 10;
/** Standard deviation of the weights of random policies, or of the random velocity, m/s. */
const START_SPREADS: Readonly<Record<ControlName, number>> = { walker: 1, gear: 1, 'cloth-throw': 5 };

/** Study of control: a trial for each task, supervision and seed. */
export default defineStudy({
  trials: ({ count = '6' }) =>
    grid({ instance: seeds(Number(count)), task: Object.keys(CONTROL_TASKS) as ControlName[], by: SUPERVISIONS }),
  run: async ({ instance, task: name, by }): Promise<Found> => {
    const device = await selectDevice('cpu', { threads: 1 });
    try {
      const { make, size } = CONTROL_TASKS[name];
      const task = make({ seed: instance, size });
      const goal = await goalOf(task, device);
      const began = process.cpuUsage();
      if (by === 'random') {
        const errors = await randomErrors(task, goal, instance, START_SPREADS[name], device);
        return { errors: errors.map((error) => error!), seconds: secondsSince(began) };
      }
      const { errors, found } = await reach(task, goal, by, ITERATIONS[name], device);
      const seconds = secondsSince(began);
      const ended = { errors: errors.map((error) => error!), seconds };
      return instance === 1 && by === 'image'
        ? { ...ended, pictures: await picturesOf(task, found.arrays, device) }
        : ended;
    } finally {
      device.dispose();
    }
  },
});

/** Errors of random policies: weights, or one velocity for all particles, from a normal distribution. */
async function randomErrors(
  task: ControlTask,
  goal: Goal,
  seed: number,
  spread: number,
  device: Device,
): Promise<(number | null)[]> {
  const random = randomNumbers(2000 + seed);
  const draws = Array.from({ length: POLICIES }, () =>
    task.arrays.map(({ field, tied }) => {
      const { domain, components } = task.model.field(field);
      const count = task.model.domain(domain).size * components;
      const own = Float64Array.from(
        { length: tied?.includes('elements') ? components : count },
        () => spread * standardNormal(random),
      );
      return Float64Array.from({ length: count }, (_, k) => own[k % own.length]);
    }),
  );
  return errorsOfValues(task, goal, draws, device);
}

/** Blends of the motion at the start and as found, and the goal. */
async function picturesOf(
  { model, film, arrays, timeline, atGoal }: ControlTask,
  found: Estimate['arrays'],
  device: Device,
): Promise<NonNullable<Found['pictures']>> {
  const reached = Object.fromEntries(
    arrays.map(({ name, field }): [string, Float64Array] => {
      const { estimate } = found[name];
      const { key, domain, components } = model.field(field);
      const count = model.domain(domain).size * components;
      return [key, Float64Array.from({ length: count }, (_, k) => estimate[k % estimate.length])];
    }),
  );
  const goal = await atGoal(device);
  return {
    start: await blendOf(model, film, {}, device),
    found: await blendOf(model, film, reached, device),
    goal: await blendOf(model, { ...timeline, frames: goal.frames }, goal.values, device, 1),
  };
}
