import { weightsOf } from '@gradsim/control';
import type { Model } from '@gradsim/core';
import type { Problem } from '@gradsim/optim';
import { angleController, pendulumModel } from './pendulum.ts';
import { CONTROL_RATE, SUBSTEPS_PER_CONTROL } from './rods.ts';
import { randomStart } from './starts.ts';
import { distanceFromUpright } from './upright.ts';

/** Duration of the longest simulated run of the training, s. */
const DURATION = 2;
const HORIZONS = [0.5, 0.625, 0.75, 0.875, 1];

export interface TrainingOptions {
  readonly seed: number;
  /** Number of iterations for each horizon of the training. */
  readonly iterations: number;
  readonly worlds: number;
}

/**
 * Training problem of the controller by angles: minimises the mean cost {@link distanceFromUpright} of short runs by backpropagation
 * through time.
 */
export function angleTraining({ seed, iterations, worlds }: TrainingOptions): Problem & { readonly model: Model } {
  const model = pendulumModel([angleController({}, seed)]);
  const frames = DURATION * CONTROL_RATE + 1;
  return {
    model,
    frames,
    frameRate: CONTROL_RATE,
    substeps: SUBSTEPS_PER_CONTROL,
    arrays: weightsOf(model),
    losses: [{ field: distanceFromUpright, weight: 1 / frames }],
    worlds: { count: worlds, draw: randomStart, clip: 0.5 },
    options: { search: { method: 'adam', learningRate: 0.005, seed, iterations, horizons: HORIZONS } },
  };
}
