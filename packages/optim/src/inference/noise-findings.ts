import { mean, sumOfSquares } from '@gradsim/numeric';
import type { Finding } from '../problem/finding.ts';
import type { ObservationFit } from './fit.ts';
import { FALSE_ALARMS, ratioTail, studentTail } from './significance.ts';

/** Relative tolerance of the stated noise: rounding to 8 bits, say, raises 0.005 to 0.00513. */
const TOLERANCE = 0.05;
/** Number of consecutive batches of frames whose means are compared, so that short correlations stay within one. */
const BATCHES = 8;
/** Ratio of measured to stated noise above which the stated noise is wrong, however uncertain the measurement. */
const BEYOND_DOUBT = 2;
/** Share of the excess squares in the frames that a note names. */
const NAMED_SHARE = 0.8;

/**
 * Chi-square test of residuals against the stated noise. Its scatter is measured by the means of batches of frames,
 * which include the correlation of residuals over values and frames; with few frames it follows from the number of
 * independent values.
 *
 * @param perIndependent number of values with the information of one independent one.
 */
export function noiseFindings(fit: ObservationFit, values: number, perIndependent: number): Finding[] {
  const { field, expected, residuals, isLeast } = fit;
  if (expected === undefined || residuals.length === 0) return [];
  const squares = residuals.map((r) => (r / expected) ** 2);
  const times = Math.sqrt(mean(squares));
  const isSeen =
    times > BEYOND_DOUBT ||
    // A stated lower bound may be exceeded.
    (!isLeast && times > 1 + TOLERANCE && chanceOf(squares, values, perIndependent) < FALSE_ALARMS.noise);
  if (!isSeen) return [];
  const note = `The residual of ${field} is ${Number(times.toPrecision(3))} times the given noise${mostIn(fit, squares)}: the model lacks something, this is a false minimum, or the noise is larger.`;
  return [{ kind: 'beyond noise', grave: true, note }];
}

/** Probability of mean squares this large, if their expectation is 1. */
function chanceOf(squares: readonly number[], values: number, perIndependent: number): number {
  const all = mean(squares);
  if (squares.length < 2 * BATCHES) return ratioTail(all, values / perIndependent, Number.POSITIVE_INFINITY);
  const means = Array.from({ length: BATCHES }, (_, b) => {
    const [from, to] = [b, b + 1].map((at) => Math.round((at * squares.length) / BATCHES));
    return mean(squares.slice(from, to));
  });
  const seen = sumOfSquares(means.map((m) => m - all)) / (BATCHES - 1);
  // Independent values scatter by no less.
  const variance = Math.max(seen, (2 * BATCHES) / values);
  return studentTail((all - 1) / Math.sqrt(variance / BATCHES), BATCHES - 1);
}

/** Names the frames that hold most of the excess, if they are few. */
function mostIn({ frames }: ObservationFit, squares: readonly number[]): string {
  const above = squares.map((s) => Math.max(0, s - 1));
  const whole = above.reduce((sum, a) => sum + a, 0);
  let [from, to] = [0, squares.length];
  // Drops frames from the end that has less, as long as most of the excess remains.
  for (let left = whole; to - from > 1; ) {
    const isFirst = above[from] < above[to - 1];
    left -= isFirst ? above[from] : above[to - 1];
    if (left < NAMED_SHARE * whole) break;
    if (isFirst) from++;
    else to--;
  }
  if (to - from > squares.length / 2) return '';
  return to - from === 1
    ? `, most of it in frame ${frames[from]}`
    : `, most of it in frames ${frames[from]} to ${frames[to - 1]}`;
}
