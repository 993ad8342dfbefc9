import { weightsOf } from '@gradsim/control';
import type { Device, Model } from '@gradsim/core';
import type { Problem } from '@gradsim/optim';
import type { Weights } from './pendulum.ts';
import { pendulumModel, pixelController, teacherController } from './pendulum.ts';
import { CONTROL_RATE, SUBSTEPS_PER_CONTROL } from './rods.ts';
import type { TrainingOptions } from './train-angles.ts';
import { statesVisitedBy } from './visited.ts';

/** Duration of a training run, s. */
const DURATION = 1;

/**
 * Training problem of the controller by pictures, by imitation: it drives the pendulum, and its outputs are fitted to
 * those of the teacher in all states that it visits.
 */
export async function pixelTraining(
  taught: Weights,
  { seed, iterations, worlds }: TrainingOptions,
  device: Device,
): Promise<Problem & { readonly model: Model }> {
  const model = pendulumModel([pixelController({}, seed), teacherController(taught)]);
  const frames = DURATION * CONTROL_RATE + 1;
  return {
    model,
    frames,
    frameRate: CONTROL_RATE,
    substeps: SUBSTEPS_PER_CONTROL,
    arrays: weightsOf(model, 'watch'),
    losses: [{ field: 'world.balanceMiss', frames: 'last', weight: 1 / DURATION }],
    worlds: { count: worlds, draw: await statesVisitedBy(taught, device, seed) },
    options: { search: { method: 'adam', learningRate: 0.005, decay: 0.9975, clip: 1, seed, iterations } },
  };
}
