import { GradsimError, refuseUnknownOptions } from '@gradsim/core';
import type { OtherIntervals } from '../posterior/posterior.ts';
import type { Uncertainty } from '../posterior/uncertainty.ts';
import type { DerivedSpec } from '../problem/named.ts';
import { reportingReads } from '../problem/named.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';
import { middle95 } from './bootstrap.ts';

/** Estimate of a quantity computed from parameters. */
export interface DerivedEstimate {
  readonly estimate: number;
  /**
   * Standard error from the covariance of all parameters; infinite if it depends on an undetermined one, null without
   * standard errors.
   */
  readonly standardError: number | null;
  /** Cramer-Rao bound of the standard error, as that of a parameter; only beside a finite standard error. */
  readonly bound?: number;
  /** 95 % interval: the estimate plus and minus 1.96 standard errors. */
  readonly interval: readonly [number, number] | null;
  /** 95 % interval from the bootstrap, if {@link UncertaintyOptions.intervals} requests one. */
  readonly bootstrap?: readonly [number, number];
  readonly unit: string;
  /** Reason why the quantity's function returned no number at the estimate; `estimate` is NaN then. */
  readonly withoutValue?: string;
  /** Names of the parameters that it depends on. */
  readonly from: readonly string[];
  readonly truth?: number;
}

export type DerivedSpecs = Readonly<Record<string, DerivedSpec>>;

/** Step of central differences, in standard errors of the parameter: short enough for the function to be linear. */
const OF_ERROR = 1e-3;
/** Step of central differences, in natural steps of the parameter, if its standard error is missing or tiny. */
const OF_STEP = 6e-6;
/** Half-length of a 95 % interval, in standard errors. */
const NORMAL_97_5_QUANTILE = 1.96;

/**
 * Checks derived quantities. @throws for one that has the name of a parameter, has no function, or uses an unknown
 * name.
 */
export function refuseDerived(specs: DerivedSpecs, unknowns: Unknowns): void {
  const values = unknowns.numbers(unknowns.values(unknowns.initial()));
  for (const [name, spec] of Object.entries(specs)) {
    const what = `The derived value ${name}`;
    if (typeof spec?.compute !== 'function')
      throw new GradsimError(
        'optim/no-function',
        `${what} has no function \`compute\` that gives it from the values of parameters.`,
      );
    refuseUnknownOptions<DerivedSpec>(what, spec, { compute: true, unit: true, truth: true });
    if (Object.hasOwn(values, name)) throw new GradsimError('optim/name-taken', `${what} has the name of a parameter.`);
    const initial = spec.compute(reportingReads(values, what, () => {}));
    if (typeof initial !== 'number')
      throw new GradsimError(
        'optim/wrong-type',
        `${what} must be a number, and \`compute\` gives ${typeof initial} (${String(initial)}).`,
      );
  }
}

/**
 * Derived quantities at a point, with standard errors to first order: the square root of g^T C g, with the covariance C
 * of all unknowns and the gradient g by central differences over a thousandth of a standard error.
 */
export function derivedOf(
  specs: DerivedSpecs,
  unknowns: Unknowns,
  x: Float64Array,
  uncertainty: Uncertainty | null,
  otherIntervals: OtherIntervals | null,
): Record<string, DerivedEstimate> {
  return Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => {
      const asked = new Set<string>();
      const { unit = '', truth } = spec;
      const of = (values: ArrayLike<number>): number =>
        spec.compute(reportingReads(unknowns.numbers(values), `The derived value ${name}`, (each) => asked.add(each)));
      const { estimate, withoutValue } = valueOr(() => of(unknowns.values(x)));
      const at = (point: ArrayLike<number>): number => valueOr(() => of(unknowns.values(point))).estimate;
      const error = uncertainty && errorOf(at, unknowns, x, uncertainty);
      const standardError = error === null || Number.isNaN(error) ? null : error;
      const reach = standardError === null ? null : NORMAL_97_5_QUANTILE * standardError;
      const isKnown = standardError !== null && Number.isFinite(standardError);
      const least = isKnown && uncertainty ? errorOf(at, unknowns, x, boundOf(uncertainty)) : null;
      const drawn = isKnown ? otherIntervals?.draws?.map((values) => valueOr(() => of(values)).estimate) : undefined;
      return [
        name,
        {
          estimate,
          standardError,
          ...(least === null ? {} : { bound: least }),
          unit,
          interval: reach === null ? null : ([estimate - reach, estimate + reach] as const),
          ...(drawn?.every(Number.isFinite) ? { bootstrap: middle95(drawn) } : {}),
          from: [...asked],
          ...(truth === undefined ? {} : { truth }),
          ...(withoutValue === undefined ? {} : { withoutValue }),
        },
      ];
    }),
  );
}

/** Uncertainty of the Cramer-Rao bound. */
function boundOf(uncertainty: Uncertainty): Uncertainty {
  const { bound, deviations } = uncertainty;
  const n = deviations.length;
  return {
    ...uncertainty,
    covariance: bound,
    deviations: deviations.map((d, i) => (Number.isFinite(d) ? Math.sqrt(bound[i * (n + 1)]) : d)),
    remainingStep: new Float64Array(n),
  };
}

/** Evaluates a derived quantity; if that fails, returns NaN and the reason, so that other results are not lost. */
function valueOr(of: () => number): { readonly estimate: number; readonly withoutValue?: string } {
  try {
    const estimate = of();
    return Number.isFinite(estimate) ? { estimate } : { estimate: Number.NaN, withoutValue: `It is ${estimate}.` };
  } catch (error) {
    return { estimate: Number.NaN, withoutValue: error instanceof Error ? error.message : String(error) };
  }
}

/** Weight in an undetermined direction from which on a derived value or an unknown counts as undetermined. */
const NEGLIGIBLE_WEIGHT = 0.05;

function errorOf(
  at: (point: ArrayLike<number>) => number,
  unknowns: Unknowns,
  x: Float64Array,
  uncertainty: Uncertainty,
): number {
  const { deviations, covariance, remainingStep } = uncertainty;
  const n = x.length;
  const scales = unknowns.scales();
  const single = unknowns.blocks.filter(({ isArray }) => !isArray).map(({ first }) => first);
  const gradient = new Float64Array(n);
  for (const k of single) {
    const error = Number.isFinite(deviations[k]) ? OF_ERROR * deviations[k] : 0;
    const step = Math.max(error, OF_STEP * scales[k]);
    const moved = (by: number): number => at(x.map((value, i) => (i === k ? value + by : value)));
    // A range clamps the point beyond its end: there the difference is one-sided, and the step half as long.
    const [low, high] = [moved(-step), moved(step)];
    const [below, above] = [-step, step].map((by) => valueAt(unknowns, x, k, by));
    const slope = unknowns.derivatives(x)[k];
    gradient[k] = above > below ? ((high - low) / (above - below)) * slope : 0;
  }
  if (changesUnseen(gradient, unknowns, uncertainty)) return Number.POSITIVE_INFINITY;
  // The distance that the search had left to go moves all of them together.
  let variance = single.reduce((sum, i) => sum + gradient[i] * remainingStep[i], 0) ** 2;
  for (const i of single)
    for (const j of single)
      if (gradient[i] !== 0 && gradient[j] !== 0) {
        // Rounding is included in the deviations, and not in the covariance.
        const isBlurred = i === j && Number.isFinite(deviations[i]);
        const own = isBlurred ? deviations[i] ** 2 - remainingStep[i] ** 2 : covariance[i * n + j];
        variance += gradient[i] * gradient[j] * own;
      }
  return Math.sqrt(Math.max(0, variance));
}

/**
 * True if a derived value is undetermined: it changes along an undetermined direction, or depends on an unknown that is
 * undetermined for another reason. A ratio of two masses is determined even if only their common scale is not.
 */
function changesUnseen(gradient: Float64Array, unknowns: Unknowns, { deviations, undetermined }: Uncertainty): boolean {
  const scales = unknowns.scales();
  const along = gradient.map((g, i) => g * scales[i]);
  const length = Math.hypot(...along);
  const undeterminedDirections = undetermined
    .filter(({ standardDeviation }) => standardDeviation === null)
    .map(({ direction }) => unknowns.names.map((name) => direction[name]));
  const isOtherwise = (i: number): boolean =>
    deviations[i] === Number.POSITIVE_INFINITY &&
    undeterminedDirections.every((u) => Math.abs(u[i]) <= NEGLIGIBLE_WEIGHT);
  if (gradient.some((g, i) => g !== 0 && isOtherwise(i))) return true;
  const parts = undeterminedDirections.map((u) => u.reduce((sum, part, i) => sum + part * along[i], 0));
  return Math.hypot(...parts) > NEGLIGIBLE_WEIGHT * length;
}

const valueAt = (unknowns: Unknowns, x: Float64Array, k: number, by: number): number =>
  unknowns.values(x.map((value, i) => (i === k ? value + by : value)))[k];
