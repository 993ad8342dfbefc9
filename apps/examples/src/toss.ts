import { fileURLToPath } from 'node:url';
import { contactOf } from '@gradsim/contact';
import { readPictures } from '@gradsim/film';
import { defineExperiment, parametersOf } from '@gradsim/optim';
import { Body } from '@gradsim/rigid';
import { rendererSetting } from './scenes/renderers.ts';
import { TOSS_TIMELINE, tossModel } from './scenes/tossed.ts';
import { SAMPLE, SAMPLE_SOFTNESS } from './toss/scene.ts';

const SAMPLE_FILM = fileURLToPath(new URL('../sample/toss.webm', import.meta.url));

const material = contactOf(Body);
/** Unknowns: the field that each sets, its initial value, which is far from the truth, and the range of the search. */
export const TOSS_UNKNOWNS = {
  mass: { field: Body.mass, transform: 'log', initial: 6, range: [0.3, 30] },
  ke: { field: material.ke, transform: 'log', initial: 100, range: [30, 1000] },
  kd: { field: material.kd, transform: 'log', initial: 20, range: [1, 60] },
  kf: { field: material.kf, transform: 'log', initial: 80, range: [3, 200] },
  mu: { field: material.mu, transform: 'log', initial: 0.8, range: [0.1, 1.2] },
} as const;
const [mass, ...contact] = parametersOf(TOSS_UNKNOWNS, { truth: { mass: SAMPLE.mass, ...SAMPLE.material } });

/**
 * The sample experiment: an object is pushed with a known impulse and falls onto the ground. First its mass is
 * estimated, with gravity and the ground known; then mass and contact material together, from the same film. `--set
 * renderer=dibr` estimates with another renderer than the one that made the film.
 */
export default defineExperiment({
  name: 'toss',
  description: 'Mass, then mass and contact material, of an object tossed onto the ground.',
  settings: { renderer: rendererSetting },
  stages: async ({ video = SAMPLE_FILM, settings: { renderer }, log, signal }) => {
    const model = tossModel({ ...SAMPLE, mass: mass.initial }, { softness: SAMPLE_SOFTNESS, renderer });
    const film = await readPictures(video, model, TOSS_TIMELINE, { log, signal });
    return [
      film.stage(model, {
        name: 'mass',
        parameters: [mass],
        options: { search: { horizons: [0.3, 1], scan: 48, iterations: 30 } },
      }),
      film.stage(model, {
        name: 'contact',
        parameters: [mass, ...contact],
        options: { search: { horizons: [0.2, 0.4, 0.7, 1], scan: 48, iterations: 25 } },
      }),
    ];
  },
  motion: ({ settings: { renderer } }) => ({
    model: tossModel(SAMPLE, { softness: SAMPLE_SOFTNESS, renderer }),
    ...TOSS_TIMELINE,
  }),
});
