import { multiplyVector, sumOfProducts } from '@gradsim/base';
import { fasterClock, usualRate } from '@gradsim/core';
import { priorSquares } from '../objective/priors.ts';
import { systemsOfResiduals } from '../objective/systems.ts';
import type { Plan } from '../plan/plan.ts';
import { simulate } from '../plan/plan.ts';
import type { ClockError, Uncertainty } from '../posterior/uncertainty.ts';
import { RunFailure } from '../unknowns/run-failure.ts';
import type { LocalPosterior } from './local-posterior.ts';
import { NORMAL_97_5_QUANTILE } from './uncertainty.ts';

/** Least and largest relative change of the frame rate over which the unknowns are refitted; between them, its tolerance. */
const STEPS = [1e-3, 0.01] as const;
/** Decrease of the loss that the unknowns' errors promise up to which a refit is at its end, in squares of standard deviations. */
const SETTLED = 0.01;
/** Maximum number of steps of a refit, and the lengths of one that are tried in turn. */
const [MAX_ROUNDS, LENGTHS] = [8, [1, 1 / 4, 1 / 16]];

/**
 * Adds what an error of the frame rate, of the problem's `clockTolerance`, makes of the unknowns' errors. The unknowns are
 * refitted at a rate to each side: half the difference is their shift with the relative error s of the rate. Tolerance and
 * film together give the distribution of s, the film by the least losses at the two rates.
 *
 * What the film says by itself is compared with the tolerance at the noise of the background: a wrong rate makes all
 * residuals larger, which would hide it.
 */
export async function withClock(plan: Plan, x: Float64Array, local: LocalPosterior): Promise<LocalPosterior> {
  const { clockTolerance = 0, unknowns, run } = plan;
  if (clockTolerance === 0) return local;
  const { evidence, uncertainty, departures } = local;
  const { effectiveVariance } = uncertainty;
  const size = Math.min(Math.max(clockTolerance, STEPS[0]), STEPS[1]);
  const descent = descentOf(plan, uncertainty);
  const faster = await atRate(plan, 1 + size, (sumsAt) => refit(descent, sumsAt, x, x));
  const mirrored = x.map((value, i) => 2 * value - faster.x[i]);
  const slower = await atRate(plan, 1 - size, (sumsAt) => refit(descent, sumsAt, mirrored, x));
  const shifts = faster.x.map((value, i) => (value - slower.x[i]) / (2 * size));
  const { loss, promise } = descent(x, {
    squares: evidence.squares,
    gradient: x.map((_, i) => evidence.scores.reduce((sum, score) => sum + score[i], 0)),
  });
  const information = Math.max(0, (faster.loss - 2 * (loss - promise) + slower.loss) / (2 * size ** 2));
  const pull = -(faster.loss - slower.loss) / (4 * size);
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

/** Loss at a point, in squares of standard deviations, the step to where it is least by the posterior's curvature, and its decrease. */
interface Descent {
  readonly loss: number;
  readonly step: Float64Array;
  readonly promise: number;
}
type DescentAt = (x: Float64Array, sums: ResidualSums) => Descent;

const descentOf =
  ({ unknowns }: Plan, { inverse, effectiveVariance }: Uncertainty): DescentAt =>
  (x, { squares, gradient }) => {
    const { sum, gradient: pull } = priorSquares(unknowns, x);
    const slope = gradient.map((g, i) => -g / effectiveVariance - pull[i] / 2);
    const step = multiplyVector(inverse, slope);
    return { loss: squares / effectiveVariance + sum, step, promise: sumOfProducts(slope, step) };
  };

/**
 * Finds the unknowns of the least loss, and that loss. A step that raises the loss is shortened: where derivatives jump, as through
 * impacts and friction, they promise what is not there.
 *
 * @param from start; where the model refuses its values, it is the `estimate`.
 */
async function refit(
  descent: DescentAt,
  sumsAt: (x: Float64Array) => Promise<ResidualSums>,
  from: Float64Array,
  estimate: Float64Array,
): Promise<{ readonly x: Float64Array; readonly loss: number }> {
  const descentAt = async (at: Float64Array): Promise<Descent> => descent(at, await sumsAt(at));
  const triedAt = (at: Float64Array): Promise<Descent | null> =>
    descentAt(at).catch((error: unknown) => {
      if (error instanceof RunFailure) return null;
      throw error;
    });
  const first = await triedAt(from);
  let x = first ? from : estimate;
  let here = first ?? (await descentAt(estimate));
  const along = (length: number): Float64Array => x.map((value, i) => value + length * here.step[i]);
  for (let round = 0; here.promise > SETTLED; round++) {
    let lower: { readonly at: Float64Array; readonly there: Descent } | undefined;
    for (const length of round < MAX_ROUNDS ? LENGTHS : []) {
      const at = along(length);
      const there = await triedAt(at);
      if (!there || there.loss >= here.loss) continue;
      lower = { at, there };
      break;
    }
    if (!lower) return { x, loss: here.loss };
    x = lower.at;
    here = lower.there;
  }
  return { x: along(1), loss: here.loss - here.promise };
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
