import { multiplyVector, sumOfProducts } from '@gradsim/base';
import { fasterClock, usualRate } from '@gradsim/core';
import { priorSquares } from '../objective/priors.ts';
import { systemsOfResiduals } from '../objective/systems.ts';
import type { Plan } from '../plan/plan.ts';
import { simulate } from '../plan/plan.ts';
import type { ClockError, Uncertainty } from '../posterior/uncertainty.ts';
import type { LocalPosterior } from './local-posterior.ts';
import { NORMAL_97_5_QUANTILE } from './uncertainty.ts';

/** Relative change of the frame rate over which derivatives with respect to it are differences. */
const STEP = 1e-3;

/**
 * Adds what an error of the frame rate, of the problem's `clockTolerance`, makes of the unknowns' errors. With c, the
 * derivatives of the residuals with respect to the relative error s of the rate, the estimate at the given rate is b s
 * away from that at the right one, b = -A^-1 J^T c / v (see {@link uncertaintyOf}). J^T c is the difference of J^T r
 * from a run at another rate. Tolerance and film together give the distribution of s: the film by the loss at rates to
 * both sides with the unknowns refitted, from runs at x + b s, since without that curvature hides what is left.
 *
 * What the film says by itself is compared with the tolerance at the noise of the background: a wrong rate makes all
 * residuals larger, which would hide it.
 */
export async function withClock(plan: Plan, x: Float64Array, local: LocalPosterior): Promise<LocalPosterior> {
  const { clockTolerance = 0, unknowns, run } = plan;
  if (clockTolerance === 0) return local;
  const { evidence, uncertainty, departures } = local;
  const { inverse, effectiveVariance } = uncertainty;
  const here = x.map((_, i) => evidence.scores.reduce((sum, score) => sum + score[i], 0));
  const refitted = (at: Float64Array, { squares, gradient }: ResidualSums): number => {
    const { sum, gradient: pull } = priorSquares(unknowns, at);
    const slope = gradient.map((g, i) => g / effectiveVariance + pull[i] / 2);
    return squares / effectiveVariance + sum - sumOfProducts(slope, multiplyVector(inverse, slope));
  };
  let shifts = x;
  const faster = await atRate(plan, 1 + STEP, async (sumsAt) => {
    const { gradient } = await sumsAt(x);
    const mixed = gradient.map((g, i) => (g - here[i]) / STEP);
    shifts = multiplyVector(inverse, mixed).map((m) => -m / effectiveVariance);
    const at = x.map((value, i) => value + STEP * shifts[i]);
    return refitted(at, await sumsAt(at));
  });
  const slower = await atRate(plan, 1 - STEP, async (sumsAt) => {
    const at = x.map((value, i) => value - STEP * shifts[i]);
    return refitted(at, await sumsAt(at));
  });
  const middle = refitted(x, { squares: evidence.squares, gradient: here });
  const information = Math.max(0, (faster - 2 * middle + slower) / (2 * STEP ** 2));
  const pull = -(faster - slower) / (4 * STEP);
  const variance = 1 / (information + 1 / clockTolerance ** 2);
  const deviation = pull * variance;
  const noise = (departures?.noise ?? 0) || effectiveVariance;
  const contradiction =
    information > 0
      ? Math.abs(pull / information) / Math.hypot(clockTolerance, Math.sqrt(noise / effectiveVariance / information))
      : 0;
  const clock: ClockError = {
    frameRate: usualRate(run),
    tolerance: clockTolerance,
    deviation,
    standardError: Math.sqrt(variance),
    contradiction,
    shifts: shifts.map((m) => m * Math.hypot(deviation, Math.sqrt(variance))),
  };
  const derivatives = unknowns.derivatives(x);
  const n = unknowns.count;
  const deviations = uncertainty.deviations.map((deviation, i) => Math.hypot(deviation, clock.shifts[i]));
  const widened = unknowns.intervals(
    x,
    deviations.map((deviation) => NORMAL_97_5_QUANTILE * deviation),
  );
  const shifted = (covariance: Float64Array): Float64Array =>
    covariance.map((c, at) => c + clock.shifts[Math.floor(at / n)] * clock.shifts[at % n]);
  return {
    ...local,
    uncertainty: {
      ...uncertainty,
      clock,
      deviations,
      covariance: shifted(uncertainty.covariance),
      bound: shifted(uncertainty.bound),
      standardErrors: uncertainty.standardErrors.map((error, i) => Math.hypot(error, clock.shifts[i] * derivatives[i])),
      intervals: uncertainty.intervals.map(([low, high], i) => [
        Math.min(low, widened[i][0]),
        Math.max(high, widened[i][1]),
      ]),
    },
  };
}

/** Sums r^T r and J^T r of the residuals at a point. */
interface ResidualSums {
  readonly squares: number;
  readonly gradient: Float64Array;
}

/** Does something with the sums of residuals at points of a run at `times` the frame rate. */
async function atRate<T>(
  plan: Plan,
  times: number,
  act: (sumsAt: (x: Float64Array) => Promise<ResidualSums>) => Promise<T>,
): Promise<T> {
  const { allFrames, objective, unknowns } = plan;
  const residuals = objective.residuals!;
  const run = { ...allFrames.run, ...fasterClock(allFrames.run, times) };
  const simulation = await simulate({ ...plan, allFrames: { ...allFrames, run } }, 'tangent', 1);
  try {
    return await act(async (x) => {
      const [{ loss, gradient }] = await systemsOfResiduals(simulation, unknowns, residuals, [x]);
      return { squares: loss * residuals.weight, gradient: gradient.map((g) => g * residuals.weight) };
    });
  } finally {
    simulation.dispose();
  }
}

/** Name of the frame rate among given quantities. */
const NAME = 'frame rate';

/** Part of an unknown's standard error that an error of the frame rate causes, by name; empty without a tolerance. */
export const clockShare = ({ clock }: Uncertainty, i: number, slope: number): Record<string, number> =>
  clock ? { [NAME]: Math.abs(slope * clock.shifts[i]) } : {};

/** Values of a given quantity in a result. */
type Rate = Readonly<Record<'value' | 'tolerance' | 'estimate' | 'standardError', number>> & { readonly unit: string };

/** Frame rate as a given quantity, by name; empty without a tolerance. */
export const givenClock = (clock: ClockError | undefined): Record<string, Rate> =>
  clock
    ? {
        [NAME]: {
          value: clock.frameRate,
          tolerance: clock.tolerance * clock.frameRate,
          estimate: (1 + clock.deviation) * clock.frameRate,
          standardError: clock.standardError * clock.frameRate,
          unit: '1/s',
        },
      }
    : {};
