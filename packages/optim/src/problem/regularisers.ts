import type { FieldKey } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import { keyOf } from './field-key.ts';
import type { FunctionLoss } from './loss.ts';

export interface RegulariserOptions {
  /** Factor of the sum of squared differences. Default 1. */
  readonly weight?: number;
  /** Name of the loss in results. */
  readonly name?: string;
}

/**
 * Loss that keeps unknowns near expected values (Tikhonov regularisation): the weight times the sum of squared
 * differences.
 *
 * ```ts
 * const losses = [deviationPenalty('particles.velocity', 0, { weight: 1e-4 })];
 * ```
 * @param field field that unknowns set.
 * @param values expected values: one number for all, or one each, flat [element][component], over time [frame or
 * substep][element][component].
 */
export function deviationPenalty(
  field: FieldKey,
  values: number | ArrayLike<number>,
  { weight = 1, name = `deviationPenalty, of ${keyOf(field)}` }: RegulariserOptions = {},
): FunctionLoss<never, 'field'> {
  return {
    name,
    weight,
    unknowns: { field },
    evaluate({ field: now }) {
      if (typeof values !== 'number' && values.length !== now.length)
        throw new GradsimError(
          'optim/wrong-size',
          `The loss ${name} has ${values.length} values to compare with; ${keyOf(field)} has ${now.length}.`,
        );
      const off = now.map((value, k) => value - (typeof values === 'number' ? values : values[k]));
      return {
        value: off.reduce((sum, d) => sum + d * d, 0),
        gradient: { field: off.map((d) => 2 * d) },
      };
    },
  };
}

/**
 * Loss that keeps unknowns smooth over time: the weight times the sum of squared differences between consecutive frames
 * or substeps.
 *
 * ```ts
 * const losses = [smoothOverTime('carts.push', { weight: 0.1 })];
 * ```
 * @param field field over frames or substeps that unknowns set.
 */
export function smoothOverTime(
  field: FieldKey,
  { weight = 1, name = `smoothOverTime, of ${keyOf(field)}` }: RegulariserOptions = {},
): FunctionLoss<never, 'field'> {
  return {
    name,
    weight,
    unknowns: { field },
    evaluate({ field: now }, { shapes }) {
      const [moments, elements, components] = shapes.field;
      const perMoment = elements * components;
      const gradient = new Float64Array(now.length);
      let value = 0;
      for (let k = 0; k < (moments - 1) * perMoment; k++) {
        const jump = now[k + perMoment] - now[k];
        value += jump * jump;
        gradient[k] -= 2 * jump;
        gradient[k + perMoment] += 2 * jump;
      }
      return { value, gradient: { field: gradient } };
    },
  };
}
