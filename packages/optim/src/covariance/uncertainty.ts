import { multiplySquare } from '@gradsim/base';
import { correlationOf, withLeastSpread } from '../noise/correlation.ts';
import { priorInformation } from '../objective/priors.ts';
import type {
  DeterminedBy,
  ResidualCorrelation,
  Uncertainty,
  UndeterminedDirection,
} from '../posterior/uncertainty.ts';
import type { Directions } from '../unknowns/information.ts';
import { directionsOf, inCoordinates, inverseInSteps, inverseOf, isFreeIn } from '../unknowns/information.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';
import type { Evidence } from './evidence.ts';
import { MOSTLY_MISPREDICTED } from './linearity.ts';
import { remainingStepAt, SMALLEST_VARIANCE } from './remaining-step.ts';
import { roundingOf } from './rounding-errors.ts';

/**
 * Standard deviation in natural steps above which a value counts as undetermined; on a log scale 0.3 is a factor of
 * 1.3.
 */
const LARGE_DEVIATION = 0.3;
/** Weight of an unknown in an undetermined direction above which a note names the unknown. */
const SOME_WEIGHT = 0.2;
/** Ratio of a value's variance without priors to that with priors above which priors determine the value. */
const PRIOR_DOMINATED = 4;
/** Half-length of a 95 % interval of a normal distribution, in standard deviations. */
export const NORMAL_97_5_QUANTILE = 1.96;

/**
 * Standard errors from the Gauss-Newton Hessian. For independent residuals the covariance of the coordinates would be
 * s^2 (J^T J)^-1 with the residual variance s^2 = RSS / (n - p). But neighbouring pixels and frames are correlated, as
 * {@link correlationOf} measures. So the covariance is A^-1 (M / v^2 + D) A^-1 (the "sandwich", K.-Y. Liang and S. L.
 * Zeger, 1986), with the measured covariance M of J^T r, v = s^2 m if m residuals carry the information of one
 * independent one, the information D of priors, and A = J^T J / v + D. The delta method converts it to the values.
 *
 * @param count number of independent residuals, as the search weighted them.
 * @param floor lower bound of the variance of a residual: that of an exact fit in the device's precision.
 * @param smallestShare information relative to the best determined direction below which it may be rounding.
 * @param rounding relative standard deviation of a value rounded by the device; no value is known better.
 * @param least stated lower bound of the variance of a residual; if it applies, the covariance of residuals is scaled
 * up.
 * @param leastOfScores smallest variance of a score along any direction, relative to its squared length.
 * @param correlated correlation of the residuals, if it was measured before, from the same evidence.
 * @param departed second moments of the unknowns' bias from departures of the film from the model, without priors.
 */
export function uncertaintyOf(
  unknowns: Unknowns,
  x: ArrayLike<number>,
  evidence: Evidence,
  limits: Readonly<Record<'count' | 'floor' | 'smallestShare' | 'rounding' | 'least' | 'leastOfScores', number>> & {
    readonly departed: Float64Array | null;
    readonly correlated?: ResidualCorrelation;
  },
): Uncertainty {
  const { count, floor, smallestShare, rounding, least, leastOfScores } = limits;
  const n = unknowns.count;
  const { names } = unknowns;
  const scales = unknowns.scales();
  const seen = directionsOf(evidence.hessian, scales, smallestShare);
  const whitening = whiteningOf(seen, scales);
  const { scores: own, squares } = withoutPull(evidence, whitening);
  const scattered = squares / Math.max(1, evidence.values - n);
  // How rounding errors go together says nothing on noise that is larger by far.
  const isRounding = scattered <= floor && floor < least;
  const larger = isRounding ? 0 : Math.sqrt(Math.max(1, least / Math.max(scattered, SMALLEST_VARIANCE)));
  const scores = own.map((score) => score.map((s) => larger * s));
  const variance = Math.max(scattered, least, floor, SMALLEST_VARIANCE);
  const measured = limits.correlated ?? correlationOf({ ...evidence, scores }, whitening, variance);
  const residuals = withLeastSpread(measured, leastOfScores / variance);
  const effectiveVariance = variance * residuals.perIndependent;
  const priors = priorInformation(unknowns, x);
  /** Directions of the information J^T J / v + D. */
  const informed = (v: number, of: Float64Array): Directions =>
    directionsOf(
      evidence.hessian.map((h, at) => h / v + (at % (n + 1) === 0 ? of[at % n] : 0)),
      scales,
      smallestShare,
    );
  const known = informed(effectiveVariance, priors);
  const covariance = sandwichCovariance(known, scales, scoreCovariance(seen, scales, residuals.scoreCovariance), {
    factor: variance / effectiveVariance ** 2,
    priors,
  });
  const inverted = inverseOf(known, scales);
  if (limits.departed) addDeparted(covariance, limits.departed, inverted, evidence.hessian, effectiveVariance);
  const derivatives = unknowns.derivatives(x);
  const rounded = unknowns
    .values(x)
    .map((value, i) => (derivatives[i] === 0 ? 0 : (rounding * value) / derivatives[i]));
  const isFree = (i: number): boolean => isFreeIn(known, i) || (evidence.mispredicted[i] ?? 0) > MOSTLY_MISPREDICTED;
  const activeBounds = unknowns.activeBounds(x);
  const remainingStep = remainingStepAt(unknowns, x, evidence, { count, smallestShare, least });
  const { deviations: roundingDeviations, ratios } = roundingOf(unknowns, x, evidence, {
    count,
    smallestShare,
    least,
    effectiveVariance,
    remainingStep,
    inverse: inverted,
  });
  const deviationOf = (i: number, ratio: number): number =>
    Math.hypot(
      Math.sqrt(covariance[i * n + i]) * ratio,
      remainingStep[i],
      evidence.roundingLengths[i] ?? 0,
      rounded[i],
      roundingDeviations[i],
    );
  const deviations = names.map((_, i) => (isFree(i) ? Number.POSITIVE_INFINITY : deviationOf(i, 1)));
  const standardErrors = deviations.map((deviation, i) => deviation * Math.abs(derivatives[i]));
  // Measurements beside the film count as observed.
  const given = priorInformation(unknowns, x, ({ isGiven }) => isGiven);
  const informedByGiven = informed(effectiveVariance, given);
  const ofMeasured = inverseOf(informedByGiven, scales);
  const withoutPriors = (i: number): number =>
    isFreeIn(informedByGiven, i) ? Number.POSITIVE_INFINITY : ofMeasured[i * (n + 1)];
  const determinedBy = names.map((_, i): DeterminedBy => {
    if (activeBounds[i] !== 0) return 'range';
    if (isFree(i)) return 'nothing';
    return priors.some((p, k) => p > given[k]) && withoutPriors(i) > PRIOR_DOMINATED * inverted[i * (n + 1)]
      ? 'priors'
      : 'observations';
  });
  const correlation = names.map((_, i) =>
    names.map((_, j) =>
      isFree(i) || isFree(j) ? null : covariance[i * n + j] / Math.sqrt(covariance[i * n + i] * covariance[j * n + j]),
    ),
  );
  const spread = deviations.map((deviation, i) => deviation / scales[i]);
  const noise = Math.max(scattered, floor, SMALLEST_VARIANCE) * residuals.perIndependent;
  return {
    deviations,
    covariance,
    bound: inverseOf(informed(noise, priors), scales),
    inverse: inverted,
    effectiveVariance,
    remainingStep,
    stretches: { scores, information: evidence.information },
    rises: names.map(
      (_, i) => ((NORMAL_97_5_QUANTILE ** 2 * covariance[i * n + i]) / inverted[i * (n + 1)]) * effectiveVariance,
    ),
    standardErrors,
    determinedBy,
    correlation,
    residuals,
    roundingFactors: names.map((_, i) =>
      ratios === null
        ? Number.POSITIVE_INFINITY
        : Math.max(...ratios.map((ratio) => factorBetween(deviationOf(i, ratio[i]), deviations[i]))),
    ),
    intervals: unknowns.intervals(
      x,
      deviations.map((deviation) => NORMAL_97_5_QUANTILE * deviation),
    ),
    undetermined: undeterminedOf(unknowns, known, covariance),
    leastDetermined: names[spread.indexOf(Math.max(...spread))],
  };
}

/** The larger of the ratios a / b and b / a; infinite if exactly one of the standard errors is. */
const factorBetween = (a: number, b: number): number => (a === b ? 1 : Math.max(a / b, b / a));

/**
 * Replaces the interval of one unknown; its standard error becomes that of a normal distribution with an interval of
 * the same width.
 */
export function withInterval(
  uncertainty: Uncertainty,
  i: number,
  interval: readonly [number, number],
  { deviation, determinedBy }: { readonly deviation: number; readonly determinedBy: DeterminedBy },
): Uncertainty {
  const replaced = <T>(all: readonly T[], own: T): T[] => all.map((one, k) => (k === i ? own : one));
  return {
    ...uncertainty,
    standardErrors: replaced(uncertainty.standardErrors, (interval[1] - interval[0]) / (2 * NORMAL_97_5_QUANTILE)),
    intervals: replaced(uncertainty.intervals, interval),
    deviations: replaced(uncertainty.deviations, deviation),
    determinedBy: replaced(uncertainty.determinedBy, determinedBy),
  };
}

/**
 * Adds L M L^T to the covariance: the second moments M of the bias without priors, reduced by L = A^-1 J^T J / v, since
 * priors hold the unknowns back.
 */
function addDeparted(
  covariance: Float64Array,
  moments: Float64Array,
  inverse: Float64Array,
  hessian: Float64Array,
  effectiveVariance: number,
): void {
  const n = Math.sqrt(covariance.length);
  const activeBounds = multiplySquare(inverse, hessian, n);
  const half = multiplySquare(activeBounds, moments, n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += half[i * n + k] * activeBounds[j * n + k];
      covariance[i * n + j] += sum / effectiveVariance ** 2;
    }
}

/**
 * Scores and sum of squares of the residuals at their own minimum, to first order: r - J (J^T J)^-1 J^T r. Residuals
 * due to the pull of priors and ranges on the estimate are not noise.
 */
function withoutPull(
  { scores, information, squares }: Evidence,
  whitening: readonly Float64Array[],
): Pick<Evidence, 'scores' | 'squares'> {
  const n = whitening[0]?.length ?? 0;
  const step = new Float64Array(n);
  let gain = 0;
  for (const w of whitening) {
    let along = 0;
    for (const score of scores) for (let i = 0; i < n; i++) along += w[i] * score[i];
    gain += along * along;
    for (let i = 0; i < n; i++) step[i] += along * w[i];
  }
  return {
    squares: Math.max(0, squares - gain),
    scores: scores.map((score, f) =>
      score.map((s, i) => {
        let left = s;
        for (let j = 0; j < n; j++) left -= information[f][i * n + j] * step[j];
        return left;
      }),
    ),
  };
}

/** Whitening directions W, as columns: W^T (J^T J) W = I along the determined directions. */
const whiteningOf = ({ values, vectors, isUndetermined }: Directions, scales: Float64Array): Float64Array[] =>
  values.flatMap((value, k) =>
    isUndetermined[k] ? [] : [Float64Array.from(scales, (scale, i) => (vectors[k][i] * scale) / Math.sqrt(value))],
  );

/** Covariance of J^T r divided by the variance of a residual, with unknowns in natural steps. */
function scoreCovariance(seen: Directions, scales: Float64Array, spread: Float64Array): Float64Array {
  const n = scales.length;
  const kept = [...seen.values.keys()].filter((k) => !seen.isUndetermined[k]);
  const q = kept.length;
  // V^T S V, with the eigenvectors as rows of V.
  const along = new Float64Array(n * n);
  const vectors = Float64Array.from(seen.vectors.flat());
  const turned = vectors.map((_, at) => seen.vectors[at % n][Math.floor(at / n)]);
  kept.forEach((a, at) => {
    kept.forEach((b, bt) => {
      along[a * n + b] = spread[at * q + bt] * Math.sqrt(seen.values[a] * seen.values[b]);
    });
  });
  return multiplySquare(turned, multiplySquare(along, vectors, n), n);
}

/** A^-1 (factor M + D) A^-1 in coordinates; A and M are given in natural steps, D in coordinates. */
function sandwichCovariance(
  known: Directions,
  scales: Float64Array,
  scores: Float64Array,
  { factor, priors }: { readonly factor: number; readonly priors: Float64Array },
): Float64Array {
  const n = scales.length;
  const middle = scores.map((m, at) => factor * m + (at % (n + 1) === 0 ? priors[at % n] * scales[at % n] ** 2 : 0));
  const inverted = inverseInSteps(known);
  const covariance = multiplySquare(multiplySquare(inverted, middle, n), inverted, n);
  return inCoordinates(covariance, scales);
}

function undeterminedOf(
  unknowns: Unknowns,
  { values, vectors, isUndetermined }: Directions,
  covariance: Float64Array,
): UndeterminedDirection[] {
  const { names, count: n } = unknowns;
  const scales = unknowns.scales();
  return values.flatMap((_, k): UndeterminedDirection[] => {
    const vector = vectors[k];
    let variance = 0;
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) variance += (vector[i] * vector[j] * covariance[i * n + j]) / (scales[i] * scales[j]);
    const deviation = isUndetermined[k] ? null : Math.sqrt(Math.max(variance, 0));
    if (deviation !== null && deviation < LARGE_DEVIATION) return [];
    const direction = Object.fromEntries(names.map((name, i) => [name, vector[i]]));
    const named = names
      .map((name, i) => ({ name, weight: vector[i] }))
      .filter(({ weight }) => Math.abs(weight) > SOME_WEIGHT)
      .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
    return [
      {
        direction,
        standardDeviation: deviation,
        mainUnknowns: named.map(({ name }) => name),
        note: sentence(named, deviation),
      },
    ];
  });
}

function sentence(
  main: readonly { readonly name: string; readonly weight: number }[],
  deviation: number | null,
): string {
  const how = deviation === null ? 'is not determined' : 'is hardly determined';
  if (main.length === 1) return `${main[0].name} ${how} by these observations.`;
  const parts = main.map(({ name, weight }) => `${name} ${weight * main[0].weight > 0 ? 'up' : 'down'}`);
  return `The combination ${parts.join(', ')} ${how}: changed together, they leave the observations almost the same.`;
}
