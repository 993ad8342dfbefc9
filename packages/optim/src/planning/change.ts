import { clockOf, GradsimError } from '@gradsim/core';
import type { NamedValues } from '../problem/named.ts';
import type { Observation } from '../problem/observation.ts';
import type { Problem } from '../problem/problem.ts';

/** Change of an experiment that a person can make. */
export interface PlanChange {
  /** Factor on the time that is observed. Default 1. */
  readonly seconds?: number;
  /** Factor on the number of frames in a second. Default 1. */
  readonly frameRate?: number;
  /** Returns other values of unknowns and given quantities, by name, from those at hand: a harder push, another lens. */
  readonly values?: (values: NamedValues) => NamedValues;
  /** Factors on tolerances of given quantities and on standard deviations of priors, by name. */
  readonly tolerances?: Readonly<Record<string, number>>;
}

/** Experiment that could be done next: a change of the present one, and its words. */
export interface PlanCandidate {
  /** Action, as a clause after `to`: `film it at twice the rate`. */
  readonly words: string;
  readonly change: PlanChange;
}

/** Copy of a problem with a change, all frames of which are observed as a usual one of its own. */
export function changedProblem(problem: Problem, { seconds = 1, frameRate = 1, tolerances = {} }: PlanChange): Problem {
  const known = [...(problem.parameters ?? []), ...(problem.given ?? [])].map(({ name }) => name);
  const other = Object.keys(tolerances).find((name) => !known.includes(name));
  if (other !== undefined)
    throw new GradsimError(
      'optim/parameter-missing',
      `A plan changes the tolerance of ${other}, and the problem has no such quantity.`,
      {
        hint: `It has ${known.join(', ')}.`,
      },
    );
  for (const [what, factor] of Object.entries({ seconds, frameRate, ...tolerances }))
    if (!(factor > 0 && Number.isFinite(factor)))
      throw new GradsimError('optim/option-out-of-range', `A plan changes ${what} by the factor ${factor}.`, {
        hint: 'It must be a number above 0.',
      });
  const given = problem.given?.map((spec) => ({ ...spec, tolerance: spec.tolerance * (tolerances[spec.name] ?? 1) }));
  const parameters = problem.parameters?.map((spec) =>
    spec.prior && tolerances[spec.name] !== undefined
      ? { ...spec, prior: { ...spec.prior, standardDeviation: spec.prior.standardDeviation * tolerances[spec.name] } }
      : spec,
  );
  const sharper = { ...problem, ...(given ? { given } : {}), ...(parameters ? { parameters } : {}) };
  const { frames, substeps, frameTimes } = problem;
  const isSame = seconds === 1 && frameRate === 1;
  const rate = isSame ? undefined : frameRate * usualRate(problem);
  const count = rate === undefined ? frames : Math.round(seconds * (frames - 1) * frameRate) + 1;
  const { frameRate: _, frameTimes: __, ...rest } = sharper;
  return {
    ...rest,
    ...(rate === undefined ? clockOf(problem) : { frameRate: rate }),
    ...(frameTimes && rate !== undefined ? { unevenTimes: undefined } : {}),
    frames: count,
    substeps: Math.max(1, Math.ceil(substeps / frameRate)),
    observations: problem.observations?.map((observation) => usualObservation(observation, frames, count)),
  };
}

const usualRate = ({ frameRate, frameTimes, frames }: Problem): number =>
  frameTimes ? (frames - 1) / (frameTimes[frames - 1] - frameTimes[0]) : frameRate!;

/** Observation of so many frames with the weights of one that is wholly seen, and the median of the noise. */
function usualObservation(observation: Observation, before: number, count: number): Observation {
  const { target, weights, noise, frames, ...rest } = observation;
  const perFrame = target.length / before;
  // Orientations have three weights for the four numbers of a quaternion.
  const isByFrame =
    weights !== undefined &&
    before > 1 &&
    (weights.length === target.length || 4 * weights.length === 3 * target.length);
  const rows = isByFrame ? rowsOf(weights, before) : [];
  const totals = rows.map((row) => row.reduce((sum, w) => sum + w, 0));
  const best = isByFrame ? totals.indexOf(Math.max(...totals)) : 0;
  const noises =
    typeof noise === 'object'
      ? Array.from(noise)
          .filter((_, f) => !isByFrame || totals[f] > 0)
          .sort((a, b) => a - b)
      : [];
  const repeated = (row: readonly number[]): number[] => Array.from({ length: count }, () => row).flat();
  return {
    ...rest,
    ...(frames === undefined || Array.isArray(frames) ? {} : { frames }),
    // Whatever its values are, they don't matter.
    target: repeated(rowsOf(target, before)[best].slice(0, perFrame)),
    ...(weights === undefined ? {} : { weights: isByFrame ? repeated(rows[best]) : weights }),
    ...(noise === undefined ? {} : { noise: typeof noise === 'object' ? noises[noises.length >> 1] : noise }),
  };
}

const rowsOf = (values: ArrayLike<number>, count: number): number[][] => {
  const length = values.length / count;
  return Array.from({ length: count }, (_, f) => Array.from({ length }, (__, k) => values[f * length + k]));
};

/** The same problem without what is observed in frames that are not seen. */
export function observedOnly(problem: Problem, isSeen: (frame: number) => boolean): Problem {
  const seen = Array.from({ length: problem.frames }, (_, frame) => frame).filter(isSeen);
  if (seen.length === problem.frames) return problem;
  return { ...problem, observations: problem.observations?.map((own) => ({ ...own, frames: seen })) };
}
