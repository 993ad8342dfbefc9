import { GradsimError, refuseUnknownOptions } from '@gradsim/core';
import { flawOf } from '@gradsim/core/internal';
import type { ParameterSpec } from './parameter.ts';

/**
 * A quantity that was measured separately or taken from elsewhere, with a tolerance, and is not estimated. The search
 * keeps it fixed at its value, or at `start`. At the end, all unknowns are fitted together with it, using its tolerance
 * as a prior, so that their standard errors include the tolerance.
 *
 * ```ts
 * // A ball that was measured by a ruler, to 1 %.
 * const radius: GivenSpec = { name: 'radius', field: 'world.outlineRadius', value: 0.1, tolerance: 0.001 };
 * ```
 */
export interface GivenSpec
  extends Pick<ParameterSpec, 'name' | 'field' | 'component' | 'elements' | 'range' | 'unit' | 'truth' | 'start'> {
  /** Measured value; if the quantity has a `field`, the model must hold this value, or `start`, there. */
  readonly value: number;
  /** Standard deviation of the measurement, in the unit of the value. */
  readonly tolerance: number;
}

const GIVEN_KEYS = {
  name: true,
  field: true,
  component: true,
  elements: true,
  range: true,
  unit: true,
  truth: true,
  start: true,
  value: true,
  tolerance: true,
};
/**
 * Natural step of a given quantity, in tolerances: so large that one known only to its tolerance counts as determined.
 */
const STEP_IN_TOLERANCES = 10;

/** Turns a given quantity into an unknown whose prior is its tolerance. @throws for a tolerance that is not above 0. */
export function asParameter(spec: GivenSpec): ParameterSpec {
  const what = `The given quantity ${spec.name}`;
  refuseUnknownOptions<GivenSpec>(what, spec, GIVEN_KEYS);
  const { value, tolerance, ...rest } = spec;
  if (!Number.isFinite(value))
    throw new GradsimError('optim/value-not-finite', `${what} has the value ${value}.`, {
      hint: 'It must be a finite number.',
    });
  if (flawOf(tolerance, { scalar: 'f32', range: 'positive' }))
    throw new GradsimError('optim/tolerance-out-of-range', `${what} has the tolerance ${tolerance}.`, {
      hint: 'It must be a number above 0, or leave it out of `given` if it is exact.',
    });
  return {
    ...rest,
    initial: value,
    scale: STEP_IN_TOLERANCES * tolerance,
    prior: { mean: value, standardDeviation: tolerance },
  };
}
