import { median } from '@gradsim/base';
import { meanPosition } from '@gradsim/control';
import type { Device } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import type { Estimate } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import type { Goal, Supervision } from './reach.ts';
import { errorOf, reachProblem } from './reach.ts';
import type { ControlTask } from './task.ts';

/** Course of a search for a goal. */
export interface Reached {
  /** Error after each iteration, at the point of least loss up to then; the first entry is that of the start. */
  readonly errors: readonly (number | null)[];
  readonly losses: readonly number[];
  readonly secondsPerIteration: number;
  /** Duration of the fastest iteration, which other programs disturb least, s. */
  readonly leastSeconds: number;
  readonly found: Estimate;
}

/** Searches for what brings a task to its goal, and records the error after every iteration. */
export async function reach(
  task: ControlTask,
  goal: Goal,
  by: Supervision,
  iterations: number,
  device: Device,
): Promise<Reached> {
  const errors: (number | null)[] = [];
  const losses: number[] = [];
  const ends: number[] = [];
  let lowest = Number.POSITIVE_INFINITY;
  const found = await estimate(reachProblem(task, goal, by, iterations), {
    device,
    onIteration: async ({ loss, seconds }, _, { frames }) => {
      ends.push(seconds);
      const error = errorOf(await frames('world.meanPosition'), goal);
      const isBest = loss < lowest;
      lowest = Math.min(lowest, loss);
      errors.push(isBest ? error : errors[errors.length - 1]);
      losses.push(lowest);
    },
  });
  const laps = ends.slice(1).map((end, k) => end - ends[k]);
  const leastSeconds = Math.min(...laps);
  return { errors, losses, secondsPerIteration: median(laps), leastSeconds, found };
}

/**
 * Errors of a task without a search: one for each set of initial values of its arrays, in their order, by one forward
 * run each.
 */
export async function errorsOfValues(
  { model, timeline, arrays }: ControlTask,
  goal: Goal,
  draws: readonly (readonly Float64Array[])[],
  device: Device,
): Promise<(number | null)[]> {
  const simulation = await createSimulation(model, {
    device,
    ...timeline,
    record: [meanPosition],
    onWarning: () => {},
  });
  try {
    const errors: (number | null)[] = [];
    for (const values of draws) {
      for (const [k, { field }] of arrays.entries()) simulation.set(field, values[k]);
      simulation.forward();
      errors.push(errorOf(await simulation.readFrames(meanPosition), goal));
    }
    return errors;
  } finally {
    simulation.dispose();
  }
}
