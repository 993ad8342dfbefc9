import type { Simulation } from '@gradsim/core';
import type { LocalPosterior } from '../covariance/local-posterior.ts';
import { NORMAL_97_5_QUANTILE, withInterval } from '../covariance/uncertainty.ts';
import { priorInformation, priorSquares } from '../objective/priors.ts';
import { noJournal } from '../plan/journal.ts';
import type { Plan } from '../plan/plan.ts';
import type { End } from '../posterior/found.ts';
import type { BetterPoint, ReplacedInterval } from '../posterior/posterior.ts';
import type { Uncertainty } from '../posterior/uncertainty.ts';
import { RunFailure } from '../unknowns/run-failure.ts';
import { profileOf } from './profile.ts';

/** Range of the ratio of actual to predicted rise of the loss in which the curvature counts as describing the loss. */
const DESCRIBED_RISES = [0.4, 4] as const;
/** Maximum number of unknowns whose intervals are checked; each takes two runs. */
const MAX_CHECKED = 32;
/** Ratio of the distances of the profile's end and the curvature's from the estimate above which the former replaces the latter. */
const MUCH_LONGER = 2;

/** Uncertainty of an estimate, with profile intervals for unknowns whose curvature does not describe the loss. */
interface CheckedIntervals {
  readonly local: LocalPosterior;
  readonly replaced: readonly ReplacedInterval[];
  /** A point that fits clearly better, if a profile found one; no interval is replaced then. */
  readonly better: BetterPoint | null;
}

/**
 * Runs the model at both ends of each unknown's 95 % interval, with the other unknowns at their optimum as predicted by
 * the curvature. If the loss there has not risen as predicted, the interval is computed from the profile of the loss,
 * and replaced if the new one is much longer.
 *
 * @param predictor simulation of all frames in one world, with the objective's comparisons.
 */
export async function checkedIntervals(
  plan: Plan,
  predictor: Simulation,
  end: End,
  local: LocalPosterior,
): Promise<CheckedIntervals> {
  const { unknowns, objective, controls } = plan;
  const { uncertainty } = local;
  const asIs = { local, replaced: [], better: null };
  const along = isChecked(plan, local) ? await notDescribed(plan, predictor, end, local) : [];
  if (along.length === 0 || controls.signal?.aborted) return asIs;
  const observed = local.evidence.squares / objective.residuals!.weight;
  const values = unknowns.values(end.x);
  const {
    intervals: found,
    far,
    better,
  } = await profileOf(plan, end, observed, uncertainty, {
    along,
    isNear: (i, value) => {
      const own = uncertainty.intervals[i][value > values[i] ? 1 : 0];
      return (value - values[i]) / (own - values[i]) <= MUCH_LONGER;
    },
  });
  if (controls.signal?.aborted) return asIs;
  if (better) return { ...asIs, better };
  // Of an end whose search did not finish nothing is known but what the curvature says.
  const intervals = found.map(([low, high], i): readonly [number, number] => {
    const own = uncertainty.intervals[i];
    return [low ?? own[0], high ?? own[1]];
  });
  const derivatives = unknowns.derivatives(end.x);
  const replaced = far.reduce((all, i): Uncertainty => {
    const [low, high] = intervals[i];
    const isKnown = Number.isFinite(high - low);
    const deviation = isKnown
      ? (high - low) / (2 * NORMAL_97_5_QUANTILE * Math.abs(derivatives[i]))
      : Number.POSITIVE_INFINITY;
    return withInterval(all, i, [low, high], {
      deviation,
      determinedBy: isKnown ? all.determinedBy[i] : 'nothing',
    });
  }, uncertainty);
  return {
    local: { ...local, uncertainty: replaced },
    replaced: far.map((i) => ({ unknown: i, interval: intervals[i], curvature: uncertainty.intervals[i] })),
    better: null,
  };
}

/**
 * True if intervals are to be checked: not for an exact model, whose loss is only rounding, and not for fields shared
 * by all worlds, since a profile runs several worlds with different values.
 */
function isChecked({ run, unknowns, objective, options }: Plan, { evidence }: LocalPosterior): boolean {
  return (
    options.uncertainty.intervals === 'checked' &&
    unknowns.byValues === null &&
    !objective.residuals!.isExactModel(evidence.squares) &&
    !unknowns.fields.some((key) => run.model.field(key).shared)
  );
}

/** Unknowns for which the loss at an end of the interval differs from what the curvature predicts. */
async function notDescribed(
  { unknowns, objective, controls }: Plan,
  predictor: Simulation,
  { x: at }: End,
  { evidence, uncertainty }: LocalPosterior,
): Promise<number[]> {
  const { covariance, inverse, standardErrors, determinedBy, effectiveVariance } = uncertainty;
  const n = unknowns.count;
  const asked = unknowns.blocks
    .filter(({ isArray, isGiven }) => !isArray && !isGiven)
    .map(({ first }) => first)
    .filter((unknown) => Number.isFinite(standardErrors[unknown]) && determinedBy[unknown] === 'observations');
  if (asked.length > MAX_CHECKED) return [];
  const { low, high } = unknowns.limits();
  // The standard errors' sum of squares weighs priors by the noise that was given, where that is more than the residuals.
  const weighed = (squares: number, x: Float64Array): number =>
    squares + effectiveVariance * priorSquares(unknowns, x).sum;
  const start = weighed(evidence.squares, at);
  const priors = priorInformation(unknowns, at);
  const pull = priorSquares(unknowns, at).gradient;
  const slope = pull.map(
    (p, i) => effectiveVariance * p + 2 * evidence.scores.reduce((sum, score) => sum + score[i], 0),
  );
  const points = asked.flatMap((unknown) => {
    const reach = NORMAL_97_5_QUANTILE * Math.sqrt(covariance[unknown * (n + 1)]);
    return [-reach, reach].flatMap((along) => {
      const step = at.map((_, k) => (along * inverse[k * n + unknown]) / inverse[unknown * (n + 1)]);
      const x = at.map((value, k) => value + step[k]);
      // The model cannot be run outside a range.
      if (x.some((value, k) => value < low[k] || value > high[k])) return [];
      let [linear, rise] = [0, 0];
      for (let i = 0; i < n; i++) {
        linear += slope[i] * step[i];
        rise += effectiveVariance * priors[i] * step[i] ** 2;
        for (let j = 0; j < n; j++) rise += step[i] * evidence.hessian[i * n + j] * step[j];
      }
      return [{ unknown, x, linear, rise }];
    });
  });
  const { journal = noJournal } = controls;
  const found = await journal.once(
    'ends of intervals',
    points.map(({ x }) => x),
    async () => {
      const all: (number | null)[] = [];
      for (const { x } of points) all.push(await squaresAt(unknowns, objective, predictor, x));
      return all;
    },
  );
  const [least, most] = DESCRIBED_RISES;
  const isDescribed = points.map(({ x, linear, rise }, k) => {
    const squares = found[k];
    if (squares === null || !(rise > 0)) return true;
    const times = (weighed(squares, x) - start - linear) / rise;
    return times >= least && times <= most;
  });
  return asked.filter((unknown) => points.some((point, k) => point.unknown === unknown && !isDescribed[k]));
}

/** Weighted sum of squared residuals at a point; null if the run fails. */
async function squaresAt(
  unknowns: Plan['unknowns'],
  objective: Plan['objective'],
  predictor: Simulation,
  x: Float64Array,
): Promise<number | null> {
  try {
    unknowns.apply(predictor, [x]);
    predictor.forward();
    const [loss] = await objective.losses(predictor, [0], [x]);
    return Number.isFinite(loss) ? loss * objective.residuals!.weight : null;
  } catch (error) {
    if (error instanceof RunFailure) return null;
    throw error;
  }
}
