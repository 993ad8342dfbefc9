import { weightsOf } from '@gradsim/control';
import type { Model } from '@gradsim/core';
import type { Problem } from '@gradsim/optim';
import { byAngles, pendulumModel } from './pendulum.ts';
import { CONTROL_RATE, EVERY } from './rods.ts';
import { anywhere } from './starts.ts';
import { unrest } from './upright.ts';

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
 * Training problem of the controller by angles: minimises the mean cost {@link unrest} of short runs by backpropagation
 * through time.
 */
export function angleTraining({ seed, iterations, worlds }: TrainingOptions): Problem & { readonly model: Model } {
  const model = pendulumModel([byAngles({}, seed)]);
  const frames = DURATION * CONTROL_RATE + 1;
  return {
    model,
    frames,
    frameRate: CONTROL_RATE,
    substeps: EVERY,
    arrays: weightsOf(model),
    losses: [{ field: unrest, weight: 1 / frames }],
    worlds: { count: worlds, draw: anywhere, clip: 0.5 },
    options: { search: { method: 'adam', learningRate: 0.005, seed, iterations, horizons: HORIZONS } },
  };
}
