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
  /** Number of the held-out object, from 1. */
  readonly instance: number;
  readonly row: WrongModelName;
  readonly sample: number;
}

/** Result of a trial. */
export interface Found {
  readonly shape: string;
  /** Density, kg/m^3, with which the fitted model has the true mass of the filmed object. */
  readonly truth: { readonly mass: number };
  /** True if a film with noise of one grey level would determine the mass to 1 % with the correct model. */
  readonly determined: boolean;
  readonly measured: Measured;
}

/** Weights of red, green, blue and alpha in the loss when only masks are compared. */
const MASK = [0, 0, 0, 1];

/**
 * Study of the left part of Table 4: the mass of held-out objects with a known impulse, fitted by correct and wrong
 * models.
 */
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
