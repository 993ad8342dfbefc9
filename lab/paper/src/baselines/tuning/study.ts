import { mean, randomNumbers } from '@gradsim/base';
import {
  type BlackBox,
  FilmLosses,
  REINFORCE_OF_THE_PAPER,
  type ReinforceSettings,
  reinforce,
  valueAt,
} from '@gradsim/baselines';
import { selectDevice } from '@gradsim/core';
import { FILM, sceneModel } from '@gradsim/dataset';
import { filmModel } from '@gradsim/film';
import { Body } from '@gradsim/rigid';
import { defineStudy } from 'gradsim/study';
import { sceneOf, TRAINING } from '../../objects/held-out.ts';
import { RANGES } from '../../objects/study.ts';

/** Settings of a trial: one training object. */
export interface Settings {
  readonly instance: number;
  readonly row: 'training';
  readonly sample: number;
}

/** A choice of what Table 5 of the paper sets, with as many simulations. */
export type Choice = Pick<ReinforceSettings, 'noise' | 'noiseDecay' | 'rate' | 'rateDecay'>;

/** Mean relative error of the mass over starts, for each of {@link CHOICES}. */
export interface Found {
  readonly shape: string;
  readonly errors: readonly number[];
}

const NOISES = [0.05, 0.1, 0.2, 0.4];
const RATES = [0.5, 1, 2];
const DECAYS = [
  { noiseDecay: 1, rateDecay: 0.925 },
  { noiseDecay: 1, rateDecay: 0.95 },
  { noiseDecay: 1, rateDecay: 0.97 },
  { noiseDecay: 0.925, rateDecay: 1 },
  { noiseDecay: 0.95, rateDecay: 1 },
  { noiseDecay: 0.97, rateDecay: 1 },
];

/** Choices that are compared; that of the paper is one of them. */
export const CHOICES: readonly Choice[] = DECAYS.flatMap((decay) =>
  NOISES.flatMap((noise) => RATES.map((rate) => ({ noise, rate, ...decay }))),
);

/** Number of intervals between the densities of which the loss is computed. */
const INTERVALS = 200;
/** Number of starts, uniform in the range, from which each choice is tried. */
const STARTS = 10;

/** Study of settings of REINFORCE on training objects: the mass from a film with a known impulse, as in Table 1. */
export default defineStudy({
  trials: ({ count = '8' }): Settings[] =>
    TRAINING.slice(0, Number(count)).map((sample, k) => ({ instance: k + 1, row: 'training', sample })),
  run: async ({ sample }): Promise<Found> => {
    const device = await selectDevice('cpu', { threads: 1 });
    try {
      const scene = await sceneOf(sample);
      const model = sceneModel(scene);
      const film = await filmModel(model, { ...FILM, substeps: scene.substeps }, { device });
      const losses = await FilmLosses.of(model, film, [{ field: Body.density, range: RANGES.mass }], device);
      const table = await losses.losses(Array.from({ length: INTERVALS + 1 }, (_, k) => [k / INTERVALS]));
      losses.dispose();
      const tabulated = interpolated(table);
      const errors: number[] = [];
      for (const choice of CHOICES) {
        const each: number[] = [];
        for (let k = 0; k < STARTS; k++) {
          const random = randomNumbers(20_000 + STARTS * sample + k);
          const settings = { ...REINFORCE_OF_THE_PAPER, ...choice, start: [random()], random };
          const [at] = await reinforce(tabulated, settings);
          each.push(Math.abs(valueAt(RANGES.mass, at) / scene.density - 1));
        }
        errors.push(mean(each));
      }
      return { shape: scene.shape, errors };
    } finally {
      device.dispose();
    }
  },
});

/**
 * Loss of one unknown, interpolated between the given losses, which are evenly spaced from 0 to 1: by a cubic
 * (Catmull and Rom's), which is exact for a quadratic, so that the minimum stays where it is.
 */
const interpolated = (table: readonly number[]): BlackBox => {
  const before = 3 * (table[0] - table[1]) + table[2];
  const after = 3 * (table[INTERVALS] - table[INTERVALS - 1]) + table[INTERVALS - 2];
  const padded = [before, ...table, after];
  return {
    dimension: 1,
    losses: async (points) =>
      points.map(([x]) => {
        const at = Math.min(Math.floor(x * INTERVALS), INTERVALS - 1);
        const t = x * INTERVALS - at;
        const [a, b, c, d] = padded.slice(at, at + 4);
        return b + (t / 2) * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
      }),
  };
};
