import type { Model } from '@gradsim/core';
import { describeValue, GradsimError } from '@gradsim/core';

/** Input of a controller: a vector of numbers for its first layer, recomputed at every evaluation of the controller. */
export interface ControllerInput {
  /**
   * Adds a domain with one element per number, and passes of phase `control` that write the numbers to its field
   * `value`.
   *
   * @param domain name of that domain, and prefix of the names of all other domains that are added.
   * @param of options of the controller, which is evaluated in each substep whose number is a multiple of `every`.
   * @throws if the model lacks a field, element or component that the input observes.
   */
  readonly add: (model: Model, domain: string, of: { readonly every: number }) => void;
}

/** Checks a number. @throws if it is not finite or, for `be above 0`, not positive. */
export function refuseNumber(label: string, value: number, requirement: 'be finite' | 'be above 0'): void {
  const isFit = Number.isFinite(value) && (requirement === 'be finite' || value > 0);
  if (!isFit)
    throw new GradsimError('control/option-out-of-range', `${label} is ${describeValue(value)}.`, {
      hint: `It must ${requirement === 'be finite' ? 'be a finite number' : requirement}.`,
    });
}

/** Checks a count. @throws if it is not an integer of at least `minimum`. */
export function refuseCount(label: string, value: number, minimum: number): void {
  if (!Number.isInteger(value) || value < minimum)
    throw new GradsimError('control/option-out-of-range', `${label} is ${describeValue(value)}.`, {
      hint: `It must be a whole number of at least ${minimum}.`,
    });
}
