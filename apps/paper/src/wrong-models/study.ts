import { type Measured, measure } from '@gradsim/baselines';
import { selectDevice } from '@gradsim/core';
import { FILM, sceneModel } from '@gradsim/dataset';
import { filmModel } from '@gradsim/film';
import { randomNumbers } from '@gradsim/optim';
import { defineStudy } from '@gradsim/study';
import { boundsAtTruth } from '../bounds.ts';
import { HELD_OUT, sceneOf } from '../objects/held-out.ts';
import { parametersOf } from '../objects/study.ts';
import { WRONG_MODEL_NAMES, WRONG_MODELS, type WrongModelName } from './rows.ts';

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
  readonly truth: { readonly mass: number };
  /** True if a film of one grey level's noise determines the mass to 1 %, were the model right. */
  readonly determined: boolean;
  readonly measured: Measured;
}

/** Table 4, left: the mass of held-out objects with a known impulse, by models that are right and wrong. */
export default defineStudy({
  trials: ({ count = '90' }): Settings[] =>
    HELD_OUT.slice(0, Number(count)).flatMap((sample, k) =>
      WRONG_MODEL_NAMES.map((row): Settings => ({ instance: k + 1, row, sample })),
    ),
  run: async ({ row, sample }): Promise<Found> => {
    const device = await selectDevice('cpu', { threads: 1 });
    try {
      const scene = await sceneOf(sample);
      const film = await filmModel(sceneModel(scene), { ...FILM, substeps: scene.substeps }, { device });
      const stage = { name: 'mass', parameters: parametersOf(scene, ['mass'], randomNumbers(5000 + sample)) };
      const { problem } = film.stage(sceneModel(WRONG_MODELS[row].modelled(scene)), stage);
      const bounds = await boundsAtTruth(film.stage(sceneModel(scene), stage).problem, device);
      return {
        shape: scene.shape,
        truth: { mass: scene.density },
        determined: bounds.mass.isDetermined,
        measured: await measure(problem, device),
      };
    } finally {
      device.dispose();
    }
  },
});
