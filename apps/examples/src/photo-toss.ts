import type { ParameterSpec, Problem, Stage } from '@gradsim/optim';
import { defineExperiment, estimate } from '@gradsim/optim';
import { layoutOf, toRows } from '@gradsim/render';
import type { Frames } from '@gradsim/video';
import type { TossRecord } from './photo/record.ts';
import { besideFilm, readRecord, tossOf } from './photo/record.ts';
import { readSeen } from './photo/seen.ts';
import { trusted } from './photo/trust.ts';
import { TOSS_TIMELINE, tossModel } from './scenes/tossed.ts';

/** Starting values, the same for every film, and the ranges that searches draw from. */
const START = {
  mass: { initial: 2.5, range: [0.5, 12] },
  ke: { initial: 100, range: [30, 1000] },
  kd: { initial: 20, range: [1, 60] },
  kf: { initial: 80, range: [3, 200] },
  mu: { initial: 0.5, range: [0.1, 1.2] },
} as const;
type Name = keyof typeof START;
const NAMES = Object.keys(START) as Name[];
const UNITS: Record<Name, string> = { mass: 'kg', ke: 'N/m', kd: 'N s/m', kf: 'N s/m', mu: '' };
/** Softness of outlines over the pictures' width: about that of pixels, each the mean of what it covers. */
const SOFTNESS = 0.44;
type Starts = Partial<Record<Name, number>>;
/** The search over all ranges, with all pixels. */
const SEARCH = { horizons: [0.2, 0.3, 0.45, 0.7, 1], scan: 256, starts: 4, hops: 4, iterations: 40 } as const;
/** Each round goes on from where the last one ended, without the pixels that cannot be right there. */
const ROUND = { iterations: 10 } as const;
const ROUNDS = 3;
const LAST = { iterations: 40, hops: 2 } as const;

/** Mass and contact material of a tossed object, from the outlines in a film that another renderer made. */
export default defineExperiment({
  name: 'photo-toss',
  description: 'Mass and contact material of a tossed object, from a film with shadows by three.js.',
  stages: async ({ video, device, log, signal }): Promise<Stage[]> => {
    if (video === undefined)
      throw new Error(
        'The experiment photo-toss needs a film: make one by `npm run -s film`, then give --video out/film/toss-00.',
      );
    const { record: path, plate } = besideFilm(video);
    const record = await readRecord(path);
    const seen = await readSeen(video, plate, known(record, record.camera.size), { device, signal });
    const { width } = seen.size;
    const model = tossModel(known(record, width), {
      softness: (SOFTNESS / width) ** 2,
      drawing: 'silhouette',
    });
    const layout = layoutOf(model);
    const problem = (weights: Frames, starts: Starts, options: Problem['options']): Problem => ({
      model,
      ...TOSS_TIMELINE,
      parameters: NAMES.map((name) => unknown(name, record, starts)),
      observations: [seen.observation(model, { weights })],
      options,
    });
    const drawn = {
      ...seen.masks,
      data: toRows(layout, Float32Array.from(seen.observation(model).target), 1),
    };
    let trust = seen.weights;
    let starts: Starts = {};
    for (let round = 0; round <= ROUNDS; round++) {
      const found = await estimate(problem(trust, starts, round === 0 ? SEARCH : ROUND), { device, signal });
      starts = Object.fromEntries(NAMES.map((name) => [name, found.parameters[name].estimate]));
      const shown = toRows(layout, found.predicted['pixels.alpha'], 1);
      trust = trusted(seen.weights, drawn, shown);
      log(
        `${round === 0 ? 'search' : `round ${round}`}: ${NAMES.map((name) => `${name} ${starts[name]!.toPrecision(3)}`).join(', ')}`,
      );
    }
    return [
      {
        name: 'mass and contact',
        problem: problem(trust, starts, LAST),
        strip: (estimate) => seen.strip(model, estimate),
      },
    ];
  },
});

/** The toss without what is to be found out. */
function known(record: TossRecord, size: number) {
  const { mass, ke, kd, kf, mu } = START;
  const material = { ke: ke.initial, kd: kd.initial, kf: kf.initial, mu: mu.initial };
  return { ...tossOf(record, size), mass: mass.initial, material };
}

const unknown = (name: Name, { truth }: TossRecord, starts: Starts): ParameterSpec => ({
  name,
  field: `bodies.${name}`,
  transform: 'log',
  unit: UNITS[name],
  truth: truth[name],
  ...START[name],
  start: starts[name],
});
