import { clockShare, givenClock } from './covariance/frame-rate.ts';
import { whyNoErrors } from './covariance/local-posterior.ts';
import { sharesOf } from './covariance/prior-shares.ts';
import type { DerivedSpecs } from './intervals/derived.ts';
import { derivedOf } from './intervals/derived.ts';
import type { Objective } from './objective/objective.ts';
import type { End } from './posterior/found.ts';
import type { OtherIntervals } from './posterior/posterior.ts';
import type { Uncertainty } from './posterior/uncertainty.ts';
import type { FullOptions } from './problem/options.ts';
import type { ArrayEstimate, Estimate, GivenEstimate, ParameterEstimate, Unmoved } from './result.ts';
import type { Block } from './unknowns/block.ts';
import type { Unknowns } from './unknowns/unknowns.ts';

/** End of an estimation, from which the result is made. */
export interface Outcome {
  readonly options: FullOptions;
  readonly derived: DerivedSpecs;
  readonly unknowns: Unknowns;
  readonly objective: Objective;
  readonly end: End;
  /** For gradient methods: for each unknown, 1 if its gradient was ever nonzero. */
  readonly hadGradient: Uint8Array;
  readonly otherIntervals: OtherIntervals | null;
  /** Uncertainty of the unknowns; null if there are no standard errors. */
  readonly uncertainty: Uncertainty | null;
}

type ResultOfUnknowns = Pick<
  Estimate,
  | 'parameters'
  | 'arrays'
  | 'given'
  | 'derived'
  | 'residual'
  | 'withoutErrors'
  | 'undetermined'
  | 'leastDetermined'
  | 'correlation'
  | 'unmoved'
>;

/**
 * Makes the part of a result that concerns unknowns: values, uncertainty, and which of them never moved.
 * @param meanSquare mean of squared residuals; null if unknown.
 */
export function resultOfUnknowns(found: Outcome, meanSquare: number | null): ResultOfUnknowns {
  const { unknowns, end, uncertainty, otherIntervals } = found;
  const values = unknowns.values(end.x);
  const truthOf = <T>(truth: T | undefined): { truth?: T } => (truth === undefined ? {} : { truth });
  const slopes = unknowns.derivatives(end.x);
  const given = unknowns.blocks.filter(({ isGiven }) => isGiven);
  const parameters = unknowns.blocks
    .filter(({ isArray, isGiven }) => !isArray && !isGiven)
    .map(({ name, first, initial, truth, unit, prior }): [string, ParameterEstimate] => [
      name,
      {
        estimate: values[first],
        standardError: uncertainty?.standardErrors[first] ?? null,
        ...(Number.isFinite(uncertainty?.deviations[first]) && uncertainty
          ? { bound: Math.sqrt(uncertainty.bound[first * (unknowns.count + 1)]) * Math.abs(slopes[first]) }
          : {}),
        interval: uncertainty?.intervals[first] ?? null,
        ...(otherIntervals?.intervals ? { [otherIntervals.method]: otherIntervals.intervals[first] } : {}),
        determinedBy: uncertainty?.determinedBy[first] ?? null,
        ...(uncertainty && (given.length > 0 || uncertainty.clock)
          ? {
              ofGiven: {
                ...sharesOf(uncertainty, unknowns, end.x, first, (block) => block.isGiven),
                ...clockShare(uncertainty, first, slopes[first]),
              },
            }
          : {}),
        ...(prior ? { prior: { ...prior, mean: prior.mean[0] } } : {}),
        unit,
        initial: initial[0],
        ...truthOf(truth?.[0]),
      },
    ]);
  const arrays = unknowns.blocks
    .filter(({ isArray }) => isArray)
    .map(({ name, first, count, initial, shape, truth, unit }): [string, ArrayEstimate] => [
      name,
      {
        estimate: values.slice(first, first + count),
        standardErrors: uncertainty && Float64Array.from(uncertainty.standardErrors.slice(first, first + count)),
        shape,
        unit,
        initial,
        ...truthOf(truth),
      },
    ]);
  const numbers = unknowns.blocks.filter(({ isArray, isGiven }) => !isArray && !isGiven).map(({ first }) => first);
  return {
    parameters: Object.fromEntries(parameters),
    arrays: Object.fromEntries(arrays),
    given: {
      ...Object.fromEntries(
        given.map(({ name, first, prior, unit, truth }): [string, GivenEstimate] => [
          name,
          {
            value: prior!.mean[0],
            tolerance: prior!.standardDeviation,
            estimate: values[first],
            standardError: uncertainty?.standardErrors[first] ?? null,
            unit,
            ...truthOf(truth?.[0]),
          },
        ]),
      ),
      ...givenClock(uncertainty?.clock),
    },
    derived: derivedOf(found.derived, unknowns, end.x, uncertainty, otherIntervals),
    residual: meanSquare === null ? null : Math.sqrt(meanSquare),
    ...(uncertainty ? {} : { withoutErrors: whyNoErrors(unknowns, found.objective) }),
    undetermined: uncertainty?.undetermined ?? [],
    leastDetermined: uncertainty?.leastDetermined ?? null,
    correlation: uncertainty ? numbers.map((i) => numbers.map((j) => uncertainty.correlation[i][j])) : [],
    unmoved: found.options.search.method === 'levenberg-marquardt' ? [] : unmovedOf(unknowns.blocks, found.hadGradient),
  };
}

function unmovedOf(blocks: readonly Block[], hadGradient: Uint8Array): Unmoved[] {
  return blocks.flatMap(({ name, first, count, isArray }) => {
    const values = hadGradient.subarray(first, first + count).reduce((sum, has) => sum + Number(has === 0), 0);
    if (values === 0) return [];
    const what = isArray ? `${values === count ? 'all' : values} of the ${count} values of ${name}` : name;
    const note = `The gradient of ${what} was zero throughout the search, so ${values > 1 ? 'they' : 'it'} stayed at the start: the loss does not depend on ${values > 1 ? 'them' : 'it'}, or the start is the best value.`;
    return [{ name, values, valueCount: count, note }];
  });
}
