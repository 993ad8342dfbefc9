import type { Device } from '@gradsim/core';
import type { ParameterEstimate, Problem } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';

/** Standard deviation of a pixel's noise: one grey level of 8 bits, relative to full light. */
const GREY_LEVEL = 1 / 255;
/**
 * Lower bound of the standard error, relative to the unknown (rad for an angle), below which the unknown counts as
 * determined.
 */
const DETERMINED = 0.01;

/** The Cramer-Rao bound of an unknown. */
export interface Bound {
  /** The least standard deviation that an unbiased estimate can have, in the unit of the unknown; infinite where nothing determines it. */
  readonly bound: number;
  readonly isDetermined: boolean;
}

/**
 * Cramer-Rao bounds at the truth, for a film of which every pixel is off by one grey level: standard errors of a fit that begins and ends there,
 * without priors.
 */
export async function boundsAtTruth(problem: Problem, device: Device): Promise<Readonly<Record<string, Bound>>> {
  const { parameters = [], observations = [] } = problem;
  const { parameters: found } = await estimate(
    {
      ...problem,
      parameters: parameters.map(({ prior: _, start: __, ...spec }) => ({ ...spec, initial: spec.truth! })),
      observations: observations.map((observation) => ({ ...observation, noise: GREY_LEVEL, isLeastNoise: true })),
      options: { search: { iterations: 1, horizons: [1] } },
    },
    { device },
  );
  return Object.fromEntries(
    Object.entries(found).map(([name, at]) => [
      name,
      { bound: at.standardError ?? Number.POSITIVE_INFINITY, isDetermined: isSure(at) },
    ]),
  );
}

/** Returns whether an unknown's standard error is below 1 % of it, of an angle below 1 % of a radian. */
export const isSure = ({ estimate: value, standardError, unit }: ParameterEstimate): boolean =>
  (standardError ?? Number.POSITIVE_INFINITY) < DETERMINED * (unit === 'rad' ? 1 : Math.abs(value));
