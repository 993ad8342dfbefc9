import { contactOf } from '@gradsim/contact';
import { defineExperiment, parametersOf } from '@gradsim/optim';
import { Body } from '@gradsim/rigid';
import { besideFilm, readRecord, tossOf } from './photo/record.ts';
import { searchInRounds } from './photo/rounds.ts';
import { readObservation } from './photo/seen.ts';
import { TOSS_TIMELINE, tossModel } from './scenes/tossed.ts';

const material = contactOf(Body);
/** Unknowns: the fields they set, initial values, which are the same for every film, and ranges of the search. */
const UNKNOWNS = {
  mass: { field: Body.mass, transform: 'log', initial: 2.5, range: [0.5, 12] },
  ke: { field: material.ke, transform: 'log', initial: 100, range: [30, 1000] },
  kd: { field: material.kd, transform: 'log', initial: 20, range: [1, 60] },
  kf: { field: material.kf, transform: 'log', initial: 80, range: [3, 200] },
  mu: { field: material.mu, transform: 'log', initial: 0.5, range: [0.1, 1.2] },
} as const;
const { mass, ke, kd, kf, mu } = UNKNOWNS;
const START = {
  mass: mass.initial,
  material: { ke: ke.initial, kd: kd.initial, kf: kf.initial, mu: mu.initial },
};
/** Softness of outlines in the rendered masks, px of the film: about that of averaging over a pixel. */
const SOFTNESS = 0.44;

/** Estimates mass and contact material of a tossed object from its outlines in a film made by another renderer. */
export default defineExperiment({
  name: 'photo-toss',
  description: 'Mass and contact material of a tossed object, from a film with shadows by three.js.',
  stages: async ({ video, device, log, signal }) => {
    if (video === undefined)
      throw new Error(
        'The experiment photo-toss needs a film: make one by `npm run -s film`, then give --video out/film/toss-00.',
      );
    const { record: path, plate } = besideFilm(video);
    const record = await readRecord(path);
    const known = (size: number) => ({ ...tossOf(record, size), ...START });
    const seen = await readObservation(video, plate, known(record.camera.size), { device, signal });
    const { width } = seen.size;
    const model = tossModel(known(width), { softness: (SOFTNESS / width) ** 2, drawing: 'silhouette' });
    const unknowns = parametersOf(UNKNOWNS, { truth: record.truth });
    const problem = { model, ...TOSS_TIMELINE, parameters: unknowns };
    const { weights, parameters } = await searchInRounds(seen, problem, { device, signal, log });
    return [
      {
        name: 'mass and contact',
        problem: {
          ...problem,
          parameters,
          observations: [seen.observation(model, { weights })],
          options: { search: { iterations: 40, hops: 2 } },
        },
        strip: (estimate) => seen.strip(model, estimate),
      },
    ];
  },
});
