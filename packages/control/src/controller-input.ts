import type { Model } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';

/** An input of a controller: numbers for its first layer, recomputed at every evaluation. */
export interface ControllerInput {
  /**
   * Adds a domain with one element for each number, and passes of phase `control` that write its field `value`.
   *
   * @param domain the name that the domain is to have; what else it needs has a name that begins so.
   * @param of the controller: it acts in every substep that `every` divides.
   * @throws where the model has not got what is to be seen.
   */
  readonly add: (model: Model, domain: string, of: { readonly every: number }) => void;
}

/** @throws where a number is not finite, or not above 0 where it has to be. */
export function refuseNumber(what: string, value: number, must: 'be finite' | 'be above 0'): void {
  const isFit = Number.isFinite(value) && (must === 'be finite' || value > 0);
  if (!isFit)
    throw new GradsimError('control/option-out-of-range', `${what} is ${value}.`, {
      hint: `It must ${must === 'be finite' ? 'be a finite number' : must}.`,
    });
}

/** @throws where a number is no whole number of at least so much. */
export function refuseCount(what: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least)
    throw new GradsimError('control/option-out-of-range', `${what} is ${value}.`, {
      hint: `It must be a whole number of at least ${least}.`,
    });
}
