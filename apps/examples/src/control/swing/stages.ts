import type { Device } from '@gradsim/core';
import type { ExperimentContext, Problem, Run, Stage } from '@gradsim/optim';
import { rendererOf } from '../../scenes/renderers.ts';
import { numberSetting, refuseUnknownSettings } from '../../scenes/settings.ts';
import { filmOfSwing } from './film.ts';
import { DURATION, heldOf } from './held.ts';
import { keptWeights } from './kept.ts';
import type { Weights } from './pendulum.ts';
import { byAngles, byPixels, filmedPendulum, pendulumModel } from './pendulum.ts';
import { CONTROL_RATE, EVERY } from './rods.ts';
import type { TrainingOptions } from './train-angles.ts';
import { angleTraining } from './train-angles.ts';
import { pixelTraining } from './train-pixels.ts';

/** What a controller of the pendulum may see, how it is trained, and how many iterations of how many worlds that takes. */
export const SWING_SIGHTS = {
  angles: {
    controller: byAngles,
    training: (options: TrainingOptions, _: Device) => Promise.resolve(angleTraining(options)),
    iterations: 80,
    worlds: 64,
  },
  pixels: {
    controller: byPixels,
    training: (options: TrainingOptions, device: Device) =>
      pixelTraining(keptWeights('swing-up-angles'), options, device),
    iterations: 900,
    worlds: 32,
  },
} as const;
export type SwingSight = keyof typeof SWING_SIGHTS;

const SETTINGS = ['sees', 'seed', 'iterations', 'worlds', 'unseen'];

interface SwingSettings {
  readonly sees: SwingSight;
  readonly training: TrainingOptions;
  readonly seed: number;
  readonly unseen: number;
}

function settingsOf(settings: ExperimentContext['settings']): SwingSettings {
  refuseUnknownSettings('swing-up', settings, SETTINGS);
  const sees = settings.sees ?? 'angles';
  if (sees !== 'angles' && sees !== 'pixels')
    throw new Error(`The setting sees is "${sees}"; it is one of angles, pixels.`);
  const whole = (name: string, otherwise: number): number =>
    numberSetting(settings, name, { otherwise, least: 1, whole: true });
  const { iterations, worlds } = SWING_SIGHTS[sees];
  const seed = whole('seed', 1);
  const training = { seed, iterations: whole('iterations', iterations), worlds: whole('worlds', worlds) };
  return { sees, training, seed, unseen: whole('unseen', 50) };
}

/** The stage of the experiment: `--set sees=pixels`, `seed=2`, `iterations=20` (of each horizon), `worlds=32`, `unseen=50`. */
export async function swingStages({
  settings,
  device,
}: Pick<ExperimentContext, 'settings' | 'device'>): Promise<Stage[]> {
  const { sees, training, seed, unseen } = settingsOf(settings);
  const { controller, training: problemOf } = SWING_SIGHTS[sees];
  const problem: Problem = await problemOf(training, device);
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
        const found = await heldOf(model, weightsOf(arrays), { device, unseen, seed });
        return [
          `From ${found.held} of ${found.unseen} starts that training has not seen, it swings up and holds the tip within 0.1 m of the top for the last 5 of 15 s.`,
          `The farthest that the tip then is from the top: ${found.medianDistance.toPrecision(2)} m (median over starts).`,
        ];
      },
    },
  ];
}

/** What moves at the weights to begin with. */
export function swingMotion({ settings }: Pick<ExperimentContext, 'settings'>): Run {
  const { sees, seed } = settingsOf(settings);
  return {
    model: pendulumModel([SWING_SIGHTS[sees].controller({}, seed)]),
    frames: DURATION * CONTROL_RATE + 1,
    frameRate: CONTROL_RATE,
    substeps: EVERY,
  };
}
