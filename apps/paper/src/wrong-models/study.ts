import { type Measured, measure } from '@gradsim/baselines';
import { selectDevice } from '@gradsim/core';
import { FILM, SHAPE_NAMES } from '@gradsim/dataset';
import { filmModel } from '@gradsim/film';
import type { Problem } from '@gradsim/optim';
import { randomNumbers } from '@gradsim/optim';
import { defineStudy } from '@gradsim/study';
import { boundsAtTruth } from '../bounds.ts';
import { HELD_OUT, sceneOf } from '../objects/held-out.ts';
import { parametersOf } from '../objects/study.ts';
import { WRONG_MODEL_NAMES, WRONG_MODELS, type WrongModelName } from './rows.ts';
import type { Side } from './side.ts';

/** Settings of a trial. */
export interface Settings {
  /** From 1: the first of the held-out objects, and so on. */
  readonly instance: number;
  readonly row: WrongModelName;
  readonly sample: number;
}

/** Result of a trial. */
export interface Found {
  readonly shape: string;
  /** Density with which the fitted model has the mass of what was filmed, kg/m^3. */
  readonly truth: { readonly mass: number };
  /** True if a film of one grey level's noise determines the mass to 1 %, were the model right. */
  readonly determined: boolean;
  readonly measured: Measured;
}

/** Weights of red, green, blue and alpha where masks alone are compared. */
const MASK = [0, 0, 0, 1];

/** Table 4, left: the mass of held-out objects with a known impulse, by models that are right and wrong. */
export default defineStudy({
  trials: ({ count = '90' }): Settings[] =>
    HELD_OUT.slice(0, Number(count)).flatMap((sample, k) => {
      const shape = SHAPE_NAMES[sample % SHAPE_NAMES.length];
      const rows = WRONG_MODEL_NAMES.filter((row) => WRONG_MODELS[row].takes({ shape }));
      return rows.map((row): Settings => ({ instance: k + 1, row, sample }));
    }),
  run: async ({ row, sample }): Promise<Found> => {
    const device = await selectDevice('cpu', { threads: 1 });
    try {
      const object = await sceneOf(sample);
      const { filmed, fitted, isMask } = await WRONG_MODELS[row].mismatch(object, sample, device);
      const film = await filmModel(filmed.model, { ...FILM, substeps: filmed.substeps }, { device });
      const [mass] = parametersOf(object, ['mass'], randomNumbers(5000 + sample));
      const problemOf = ({ model, substeps, density, volume }: Side): Problem => ({
        model,
        ...FILM,
        substeps,
        parameters: [{ ...mass, field: density, truth: (object.density * filmed.volume) / volume }],
        observations: [{ ...film.observation, ...(isMask ? { weights: MASK } : {}) }],
      });
      const problem = problemOf(fitted);
      const bounds = await boundsAtTruth(problemOf(filmed), device);
      return {
        shape: object.shape,
        truth: { mass: problem.parameters![0].truth! },
        determined: bounds.mass.isDetermined,
        measured: await measure(problem, device),
      };
    } finally {
      device.dispose();
    }
  },
});
