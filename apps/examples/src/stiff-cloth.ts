import type { Estimate, ExperimentContext, ParameterSpec, Problem, Stage } from '@gradsim/optim';
import { defineExperiment, randomNumbers } from '@gradsim/optim';
import type { Fabric, FlagOptions } from './flag/scene.ts';
import { FLAG_TIMELINES, flagModel, membraneOf } from './flag/scene.ts';
import { normal } from './scenes/draws.ts';
import { through8Bit } from './scenes/eight-bit.ts';
import { filmOf } from './scenes/film-of.ts';
import { rendererOf } from './scenes/renderers.ts';
import { numberSetting, refuseUnknownSettings } from './scenes/settings.ts';
import { filmStrip } from './soft/film.ts';
import { describeDirection, leastDetermined } from './soft/least-determined.ts';

const TRUTH: Fabric = { stretch: 5000, bend: 0.01 };
/** A factor of three off. */
const START: Fabric = { stretch: 1600, bend: 0.003 };
/** Standard deviation of what a camera's sensor adds to each value of a pixel, of full light. */
const SENSOR = 0.01;

/**
 * How stiff the fabric of a flag is, in its plane and in bending, from the film of it in a gusty wind that was measured.
 * Its film is made by explicit steps, 72,000 a second, and is noisy, through 8-bit files, as a camera makes it; it is looked
 * at by implicit steps of second order, 960 a second. Settings: `size` of the pictures, `renderer`, `seed` of the noise, and
 * `steps`: `implicit` (the default) or `explicit`, to look at it with those of the film.
 */
export default defineExperiment({
  name: 'stiff-cloth',
  description: 'Stiffness of a flag, in its plane and in bending, from its film in gusts of wind.',
  stages: async (context) => [await stage(context)],
  motion: async ({ settings }) => {
    const { options } = await chosen(settings);
    return { model: flagModel(TRUTH, options), ...FLAG_TIMELINES[options.steps] };
  },
});

async function chosen(settings: ExperimentContext['settings']): Promise<{ options: FlagOptions; seed: number }> {
  refuseUnknownSettings('stiff-cloth', settings, ['renderer', 'seed', 'size', 'steps']);
  const { steps = 'implicit' } = settings;
  if (steps !== 'implicit' && steps !== 'explicit')
    throw new Error(`The setting steps is "${steps}"; it is one of implicit, explicit.`);
  const size = numberSetting(settings, 'size', { otherwise: 64, least: 16, whole: true });
  const seed = numberSetting(settings, 'seed', { otherwise: 1, least: 0, whole: true });
  return { options: { size, steps, renderer: await rendererOf(settings.renderer ?? 'dibr') }, seed };
}

async function stage({ settings, device, log }: ExperimentContext): Promise<Stage> {
  const { options, seed } = await chosen(settings);
  const timeline = FLAG_TIMELINES[options.steps];
  const { frames, frameRate, substeps } = timeline;
  log(
    `Filming the flag: ${frames} frames of ${options.size} x ${options.size} pixels by explicit steps; looking at it by ${substeps * frameRate} ${options.steps} ones a second.`,
  );
  const filmed = flagModel(TRUTH, { ...options, steps: 'explicit' });
  const film = await filmOf(filmed, FLAG_TIMELINES.explicit, device);
  const target = await through8Bit(filmed, noisy(film, seed), frames);
  const model = flagModel(START, options);
  const problem: Problem = {
    model,
    ...timeline,
    parameters: [
      {
        name: 'stretch',
        transform: 'log',
        unit: 'N/m',
        range: [500, 15_000],
        initial: START.stretch,
        truth: TRUTH.stretch,
      } satisfies ParameterSpec,
      {
        name: 'bend',
        field: 'hinges.stiffness',
        transform: 'log',
        unit: 'N m',
        range: [1e-3, 0.1],
        initial: START.bend,
        truth: TRUTH.bend,
      } satisfies ParameterSpec,
    ],
    ties: (['mu', 'lambda'] as const).map((name) => ({
      field: `triangles.${name}`,
      of: ({ stretch }: Readonly<Record<string, number>>) => membraneOf(stretch)[name],
    })),
    observations: [{ field: 'pixels.rgba', target, weights: [1, 1, 1, 0] }],
    options: { iterations: 30, tolerance: 1e-5, horizons: [0.3, 0.6, 1] },
  };
  return {
    name: 'stiff-cloth',
    problem,
    strip: (found: Estimate) => filmStrip(model, frames, target, found.predicted['pixels.rgba']),
    notes: (found) => {
      const direction = leastDetermined(found);
      return [
        `${frameRate * substeps} ${options.steps} steps a second; sensor noise of ${SENSOR}, 8-bit frames.`,
        "Stretch is Young's modulus times thickness; mass, air and wind are known.",
        ...(direction ? [describeDirection(direction)] : []),
      ];
    },
  };
}

/** A film with what a sensor adds, within what a file holds. */
function noisy(film: Float64Array, seed: number): Float64Array {
  const random = randomNumbers(seed);
  return film.map((value, k) => (k % 4 === 3 ? value : Math.min(1, Math.max(0, value + SENSOR * normal(random)))));
}
