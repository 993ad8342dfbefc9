import { weightsOf } from '@gradsim/control';
import type { Device, Model } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import type { Problem } from '@gradsim/optim';
import { randomNumbers } from '@gradsim/optim';
import { timelines } from '../task.ts';
import type { GoalWorld } from './goals.ts';
import { goalsAt } from './goals.ts';
import { error, reachingGear } from './policy.ts';

/** Maximum x of a goal, m, to the right of the middle. */
const GOAL_RANGE = 5;
const TRAINING_TIMELINE = timelines(3, 1920);
/** First seed of the test goals: larger than all seeds of training. */
const UNSEEN_SEED = 1e6;

export interface ReachTraining {
  readonly seed: number;
  readonly iterations: number;
  /** Total number of goals, one per world, and (`batch`) number of goals used per iteration. */
  readonly worlds: number;
  readonly batch: number;
}

/**
 * Training problem with one goal per world, drawn from equal intervals of the distance. Each iteration uses a batch of
 * worlds whose goals cover the whole range of distances.
 */
export async function reachTraining(
  { seed, iterations, worlds, batch }: ReachTraining,
  device: Device,
): Promise<Problem & { readonly model: Model }> {
  const random = randomNumbers(seed);
  const xs = Array.from({ length: worlds }, (_, w) => (GOAL_RANGE * (w + random())) / worlds);
  const goals = await goalsAt(xs, device);
  const { model } = reachingGear(seed);
  return {
    model,
    ...TRAINING_TIMELINE.timeline,
    arrays: weightsOf(model, 'reach'),
    losses: [{ field: error, frames: 'last' }],
    worlds: {
      count: batch,
      draw: (draw, world) => goals[Math.floor(((world + draw()) * worlds) / batch)],
    },
    options: { search: { method: 'adam', learningRate: 0.03, decay: 0.95, beta1: 0.8, beta2: 0.95, seed, iterations } },
  };
}

export const REACH_DEFAULTS = { seed: 1, iterations: 30, worlds: 64, batch: 8, unseen: 20 } as const;

interface UnseenErrors {
  readonly device: Device;
  readonly unseen: number;
  readonly seed: number;
}

/** Draws test goals, which training does not use. */
export function unseenGoals({ device, unseen, seed }: UnseenErrors): Promise<GoalWorld[]> {
  const random = randomNumbers(UNSEEN_SEED + seed);
  return goalsAt(
    Array.from({ length: unseen }, () => GOAL_RANGE * random()),
    device,
  );
}

/** Errors of a controller for the test goals, m^2. */
export async function unseenErrors(
  weights: Readonly<Record<string, ArrayLike<number>>>,
  options: UnseenErrors,
): Promise<number[]> {
  const { device, unseen, seed } = options;
  const goals = await unseenGoals(options);
  const { model } = reachingGear(seed, weights);
  const simulation = await createSimulation(model, {
    device,
    ...TRAINING_TIMELINE.timeline,
    worlds: unseen,
    record: [error],
    onWarning: () => {},
  });
  try {
    for (const key of Object.keys(goals[0]))
      simulation.set(
        key,
        goals.flatMap((own) => Array.from(own[key])),
      );
    simulation.forward();
    return [...(await simulation.readFrames(error)).slice(-unseen)];
  } finally {
    simulation.dispose();
  }
}
