import { mean, median, upperMedian } from '../statistics/statistics.ts';

/** Deviation of stamps from equal steps, as a part of a step, up to which rows can be told to be one step apart. */
const MAX_STEP_DEVIATION = 0.4;
/** Factor by which a motion must scatter less at equal steps than at its stamps. */
const MIN_SMOOTHING = 1.5;
/** Median of the absolute value of a normal variable of standard deviation 1. */
const NORMAL_MEDIAN_DEVIATION = 0.6745;
/** Fewest differences that tell a scatter. */
const MIN_DIFFERENCES = 9;

/** Values over time, such as a coordinate; NaN where there is none. */
export type Series = ArrayLike<number>;

/** Equal steps that stamps waver about: length, s, number of steps from the first to each, and the greatest deviation, s. */
export interface Jitter {
  readonly step: number;
  readonly index: readonly number[];
  readonly largestDeviation: number;
}

/**
 * Finds the equal steps at which rows were taken whose stamps only waver, as those do that a computer gives when a message
 * arrives: each is near a step, and the motion is smoother at equal steps than at the stamps.
 * @param series values of the rows.
 * @returns undefined where the stamps say better when rows were taken.
 */
export function jitterOf(times: ArrayLike<number>, series: readonly Series[]): Jitter | undefined {
  const all = Array.from(times);
  const steps = all.slice(1).map((t, k) => t - all[k]);
  const usual = median(steps);
  if (!(usual > 0)) return undefined;
  const index = [0];
  for (const step of steps) index.push(index[index.length - 1] + Math.max(1, Math.round(step / usual)));
  const [n, t] = [mean(index), mean(all)];
  const step =
    index.reduce((sum, i, k) => sum + (i - n) * (all[k] - t), 0) / index.reduce((sum, i) => sum + (i - n) ** 2, 0);
  const most = index.reduce((far, i, k) => Math.max(far, Math.abs(all[k] - t - (i - n) * step)), 0);
  if (!(most < MAX_STEP_DEVIATION * step)) return undefined;
  const even = scatterOf(
    index.map((i) => i * step),
    series,
  );
  const stamped = scatterOf(all, series);
  return even !== undefined && stamped !== undefined && even * MIN_SMOOTHING < stamped
    ? { step, index, largestDeviation: most }
    : undefined;
}

/**
 * Standard deviation of values from what a parabola through three says of the next, at whatever times they are; undefined
 * with too few.
 */
export function scatterOf(times: ArrayLike<number>, series: readonly Series[]): number | undefined {
  const differences = series.flatMap((values) => thirdDifferences(times, values));
  return differences.length < MIN_DIFFERENCES ? undefined : upperMedian(differences) / NORMAL_MEDIAN_DEVIATION;
}

/** Absolute third divided differences of neighbours that have values, in units of their standard deviation. */
function thirdDifferences(times: ArrayLike<number>, values: Series): number[] {
  const seen: number[] = [];
  for (let k = 0; k < values.length; k++) if (!Number.isNaN(values[k])) seen.push(k);
  const found: number[] = [];
  for (let k = 0; k + 3 < seen.length; k++) {
    const four = seen.slice(k, k + 4);
    const weights = four.map((i) =>
      four.reduce((product, j) => (i === j ? product : product / (times[i] - times[j])), 1),
    );
    found.push(Math.abs(weights.reduce((sum, w, i) => sum + w * values[four[i]], 0)) / Math.hypot(...weights));
  }
  return found;
}
