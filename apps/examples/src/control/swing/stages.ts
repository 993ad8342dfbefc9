import type { Device } from '@gradsim/core';
import type { Problem, Run, SettingsContext, SettingValues, Stage } from '@gradsim/optim';
import { choiceSetting, wholeSetting } from '@gradsim/optim';
import { rendererOf } from '../../scenes/renderers.ts';
import { filmOfSwing } from './film.ts';
import { DURATION, heldUprightOf } from './held.ts';
import { storedWeights } from './kept.ts';
import type { Weights } from './pendulum.ts';
import { angleController, filmedPendulum, pendulumModel, pixelController } from './pendulum.ts';
import { CONTROL_RATE, SUBSTEPS_PER_CONTROL } from './rods.ts';
import type { TrainingOptions } from './train-angles.ts';
import { angleTraining } from './train-angles.ts';
import { pixelTraining } from './train-pixels.ts';

/**
 * Kinds of inputs of the pendulum's controller: for each the controller, its training, and default numbers of
 * iterations and worlds.
 */
export const SWING_SIGHTS = {
  angles: {
    controller: angleController,
    training: (options: TrainingOptions, _: Device) => Promise.resolve(angleTraining(options)),
    iterations: 80,
    worlds: 64,
  },
  pixels: {
    controller: pixelController,
    training: (options: TrainingOptions, device: Device) =>
      pixelTraining(storedWeights('swing-up-angles'), options, device),
    iterations: 900,
    worlds: 32,
  },
} as const;

/**
 * Settings of the experiment: `--set sees=pixels`, `seed=2`, `iterations=20` (for each horizon), `worlds=32`,
 * `unseen=50` (number of test starts).
 */
export const SWING_SETTINGS = {
  sees: choiceSetting(['angles', 'pixels']),
  seed: wholeSetting(1),
  // 0: those of the sight.
  iterations: wholeSetting(0),
  worlds: wholeSetting(0),
  unseen: wholeSetting(50),
};
type SwingContext = SettingsContext<SettingValues<typeof SWING_SETTINGS>>;

/** Returns the only stage of the experiment. */
export async function swingStages({ settings, device }: SwingContext): Promise<Stage[]> {
  const { sees, seed, iterations, worlds, unseen } = settings;
  const { controller, training, ...usual } = SWING_SIGHTS[sees];
  const options = { seed, iterations: iterations || usual.iterations, worlds: worlds || usual.worlds };
  const problem: Problem = await training(options, device);
  const renderer = await rendererOf(undefined);
  const weightsOf = (arrays: Readonly<Record<string, { readonly estimate: Float64Array }>>): Weights =>
    Object.fromEntries(Object.entries(arrays).map(([key, { estimate }]) => [key, estimate]));
  return [
    {
      name: `by ${sees}`,
      problem,
      strip: ({ arrays }) => filmOfSwing(filmedPendulum([controller({})], renderer), weightsOf(arrays), device, seed),
      notes: async ({ arrays }) => {
        const model = pendulumModel([controller({})]);
        const found = await heldUprightOf(model, weightsOf(arrays), { device, unseen, seed });
        return [
          `From ${found.held} of ${found.unseen} starts that training has not seen, it swings up and holds the tip within 0.1 m of the top for the last 5 of 15 s.`,
          `The farthest that the tip then is from the top: ${found.medianDistance.toPrecision(2)} m (median over starts).`,
        ];
      },
    },
  ];
}

/** The run with the initial, untrained weights. */
export const swingMotion = ({ settings: { sees, seed } }: SwingContext): Run => ({
  model: pendulumModel([SWING_SIGHTS[sees].controller({}, seed)]),
  frames: DURATION * CONTROL_RATE + 1,
  frameRate: CONTROL_RATE,
  substeps: SUBSTEPS_PER_CONTROL,
});
