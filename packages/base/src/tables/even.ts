import { median } from '../statistics/statistics.ts';

/** Times that lie at whole numbers of equal steps. */
export interface EvenSteps {
  /** s. */
  readonly step: number;
  /** Number of steps from the first time to each. */
  readonly index: Int32Array;
}

/** Deviation from equal steps that counts as none, as a part of a step. */
const EXACT_DEVIATION = 0.01;
/** Deviation by rounding, as a part of the resolution: half of it, and what the search of the step and floats add. */
const ROUNDING_DEVIATION = 0.501;
/** Resolution, as a part of a step, above which steps between rounded times cannot be counted. */
const MAX_RESOLUTION = 0.4;
/** Steps from one time to the next, at most. */
const LONGEST_GAP = 1e7;
/** Part of steps without a row above which rounding is the likelier cause, from so many steps on. */
const MAX_MISSING_SHARE = 0.05;
const MANY_ROWS = 10;
/** Rounds of counting steps and fitting their length. */
const FIT_ROUNDS = 3;
/** Rounds of the search for the step that times lie nearest to. */
const SEARCH_ROUNDS = 60;

/**
 * Finds the equal steps of ascending times, which may be rounded, and of which some may be missing.
 * @param resolution with which times are written, s.
 * @returns undefined if they lie farther from equal steps than rounding explains.
 */
export function evenSteps(times: ArrayLike<number>, resolution: number): EvenSteps | undefined {
  const steps = Array.from({ length: Math.max(times.length - 1, 0) }, (_, k) => times[k + 1] - times[k]);
  if (steps.length === 0) return undefined;
  const usual = median(steps);
  const exact =
    fitEvenSteps(times, steps, usual, { off: 0, isCounted: true }) ??
    fitEvenSteps(times, steps, shortestStep(steps), { off: 0, isCounted: true });
  const missing = exact ? exact.index[steps.length] - steps.length : 0;
  if (exact && (steps.length < MANY_ROWS || missing <= MAX_MISSING_SHARE * steps.length)) return exact;
  // Rounded so coarsely that steps cannot be counted: every row is the next.
  const rounded = fitEvenSteps(times, steps, usual, {
    off: ROUNDING_DEVIATION * Math.max(resolution, exact?.step ?? 0),
    isCounted: !exact && resolution <= MAX_RESOLUTION * usual,
  });
  return rounded ?? exact;
}

const shortestStep = (steps: readonly number[]): number =>
  steps.reduce((least, step) => (step > 0 && step < least ? step : least), Number.POSITIVE_INFINITY);

/** Equal steps from a first guess, if times lie within `off` of them, or nearly at them. */
function fitEvenSteps(
  times: ArrayLike<number>,
  steps: readonly number[],
  guess: number,
  { off, isCounted }: { readonly off: number; readonly isCounted: boolean },
): EvenSteps | undefined {
  const index = new Int32Array(times.length);
  let step = guess;
  for (let round = 0; round < FIT_ROUNDS; round++) {
    if (isCounted && !(step > 0)) return undefined;
    for (let k = 0; k < steps.length; k++)
      index[k + 1] = index[k] + (isCounted ? Math.max(1, Math.min(Math.round(steps[k] / step), LONGEST_GAP)) : 1);
    step = slopeOf(index, times);
  }
  if (!(step > 0)) return undefined;
  return leastSpread(index, times, step) <= 2 * Math.max(EXACT_DEVIATION * step, off) ? { step, index } : undefined;
}

/** Spread of the times about equal steps, s, with the step for which it is least: a convex function of the step. */
function leastSpread(index: Int32Array, times: ArrayLike<number>, near: number): number {
  const spread = (step: number): number => {
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let k = 0; k < times.length; k++) {
      const apart = times[k] - index[k] * step;
      [least, most] = [Math.min(least, apart), Math.max(most, apart)];
    }
    return most - least;
  };
  // Beyond this the spread is more than that of `near`.
  const width = (2 * spread(near)) / Math.max(index[index.length - 1], 1);
  let [low, high] = [near - width, near + width];
  for (let round = 0; round < SEARCH_ROUNDS && high - low > Number.EPSILON * near; round++) {
    const third = (high - low) / 3;
    if (spread(low + third) < spread(high - third)) high -= third;
    else low += third;
  }
  return spread((low + high) / 2);
}

/** Slope of a line through times over steps, by least squares. */
function slopeOf(index: Int32Array, times: ArrayLike<number>): number {
  const count = index.length;
  let [n, t] = [0, 0];
  for (let k = 0; k < count; k++) {
    n += index[k] / count;
    t += times[k] / count;
  }
  let [both, own] = [0, 0];
  for (let k = 0; k < count; k++) {
    both += (index[k] - n) * (times[k] - t);
    own += (index[k] - n) ** 2;
  }
  return both / own;
}
