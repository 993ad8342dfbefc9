import { Hinge, Triangle } from '@gradsim/cloth';
import type { TieSpec } from '@gradsim/optim';
import { choiceSetting, defineExperiment, parametersOf, wholeSetting } from '@gradsim/optim';
import { filmFlag, SENSOR } from './flag/film.ts';
import { FLAG_TIMELINES, flagModel, membraneOf } from './flag/scene.ts';
import { pictureSettings, rendererOf } from './scenes/renderers.ts';
import { leastDeterminedNotes } from './soft/least-determined.ts';

const UNKNOWNS = {
  // Through the ties. Both begin a factor of three off.
  stretch: { transform: 'log', initial: 1600, range: [500, 15_000], unit: 'N/m' },
  bend: { field: Hinge.stiffness, transform: 'log', initial: 0.003, range: [1e-3, 0.1] },
} as const;
const TRUTH = { stretch: 5000, bend: 0.01 };
const START = { stretch: UNKNOWNS.stretch.initial, bend: UNKNOWNS.bend.initial };
const ties: TieSpec[] = [
  { field: Triangle.mu, compute: ({ stretch }) => membraneOf(stretch).mu },
  { field: Triangle.lambda, compute: ({ stretch }) => membraneOf(stretch).lambda },
];

/**
 * Estimates the stiffness of a flag's fabric, in its plane and in bending, from its film in a gusty wind that was
 * measured. The film is made with explicit steps, 72,000 per second, and is noisy and quantised to 8 bits, like a
 * camera's; the estimate uses implicit steps of second order, 960 per second. Settings: `size` of the pictures,
 * `renderer`, `seed` of the noise, and `steps`: `implicit` (the default), or `explicit` to estimate with those of the
 * film.
 */
export default defineExperiment({
  name: 'stiff-cloth',
  description: 'Stiffness of a flag, in its plane and in bending, from its film in gusts of wind.',
  settings: {
    ...pictureSettings(64),
    renderer: { read: (name = 'dibr') => rendererOf(name) },
    seed: wholeSetting(1, { least: 0 }),
    steps: choiceSetting(['implicit', 'explicit']),
  },
  film: 'own',
  stages: async ({ settings, device, log }) => {
    const { frames, frameRate, substeps } = FLAG_TIMELINES[settings.steps];
    const looks = `${substeps * frameRate} ${settings.steps}`;
    log(`Filming ${frames} frames of the flag by explicit steps; looking at them by ${looks} ones a second.`);
    const film = await filmFlag(TRUTH, settings, device);
    return [
      film.stage(flagModel(START, settings), {
        name: 'stiff-cloth',
        substeps,
        parameters: parametersOf(UNKNOWNS, { truth: TRUTH }),
        ties,
        options: { search: { iterations: 30, tolerance: 1e-5, horizons: [0.3, 0.6, 1] } },
        notes: (found) => [
          `${looks} steps a second; sensor noise of ${SENSOR}, 8-bit frames.`,
          "Stretch is Young's modulus times thickness; mass, air and wind are known.",
          ...leastDeterminedNotes(found),
        ],
      }),
    ];
  },
  motion: ({ settings }) => ({ model: flagModel(TRUTH, settings), ...FLAG_TIMELINES[settings.steps] }),
});
