import { type MeasuredEstimate, measure } from '@gradsim/baselines';
import type { FieldKey } from '@gradsim/core';
import { selectDevice } from '@gradsim/core';
import { FILM, SHAPE_NAMES } from '@gradsim/dataset';
import type { ParameterSpec, Problem } from '@gradsim/optim';
import { randomNumbers } from '@gradsim/optim';
import { Body } from '@gradsim/rigid';
import { defineStudy } from 'gradsim/study';
import { boundsAtTruth } from '../bounds.ts';
import { HELD_OUT, sceneOf } from '../objects/held-out.ts';
import { parametersOf } from '../objects/study.ts';
import { type Mismatch, WRONG_MODEL_NAMES, WRONG_MODELS, type WrongModelName } from './rows.ts';
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
  /** Value of the unknown, a density, kg/m^3, or a mass, kg, with which the fitted model has the object's mass. */
  readonly truth: { readonly mass: number };
  /** True if a film with noise of one grey level would determine the mass to 1 % with the correct model. */
  readonly determined: boolean;
  readonly measured: MeasuredEstimate;
}

/**
 * Study of the left part of Table 4: the mass of held-out objects with a known impulse, fitted by correct and wrong
 * models.
 */
export default defineStudy({
  // Row by row, so that a run ended early has whole rows.
  trials: ({ count = '90' }): Settings[] =>
    WRONG_MODEL_NAMES.flatMap((row) =>
      HELD_OUT.slice(0, Number(count))
        .map((sample, k): Settings => ({ instance: k + 1, row, sample }))
        .filter(({ sample }) => WRONG_MODELS[row].takes({ shape: SHAPE_NAMES[sample % SHAPE_NAMES.length] })),
    ),
  run: async ({ row, sample }): Promise<Found> => {
    const device = await selectDevice('cpu', { threads: 1 });
    try {
      const object = await sceneOf(sample);
      const mismatch: Mismatch = await WRONG_MODELS[row].mismatch(object, sample, device);
      const { filmed, fitted, observation, options } = mismatch;
      const [mass] = parametersOf(object, ['mass'], randomNumbers(5000 + sample));
      const problemOf = ({ model, substeps, field, massPerValue }: Side): Problem => ({
        model,
        ...FILM,
        substeps,
        parameters: [massOf(mass, { field, truth: filmed.mass / massPerValue })],
        observations: [observation],
        ...(options ? { options } : {}),
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

/** Parameter of another field of the mass: range and start are scaled as the truth is. */
function massOf(
  density: ParameterSpec,
  { field, truth }: { readonly field: FieldKey; readonly truth: number },
): ParameterSpec {
  const scale = truth / density.truth!;
  const [low, high] = density.range as readonly [number, number];
  const unit = field === Body.mass ? 'kg' : density.unit;
  return { ...density, field, unit, truth, initial: scale * density.initial, range: [scale * low, scale * high] };
}
