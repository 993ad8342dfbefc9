import { mean, sumOfSquares } from '@gradsim/base';
import { FALSE_ALARMS, ratioTail, studentTail } from '../../noise/significance.ts';
import type { Check } from '../../posterior/check.ts';
import type { ObservationFit } from '../../posterior/fit.ts';
import type { Subject } from '../subject.ts';

/**
 * Relative excess over the stated noise that is tolerated: rounding to 8 bits, for example, raises 0.005 to 0.00513.
 */
const NOISE_TOLERANCE = 0.05;
/**
 * Number of batches of consecutive frames whose means are compared; long enough that most correlation is within one.
 */
const BATCHES = 8;
/** Ratio of measured to stated noise above which the stated noise is wrong, whatever the significance. */
const BEYOND_DOUBT = 2;
/** Minimum share of the excess of squared residuals that the frames named in a note contain. */
const NAMED_SHARE = 0.8;

/**
 * Tests whether residuals exceed the stated noise of an observation (chi-square). The scatter of the mean square comes
 * from the means of batches of frames, which include the effect of correlation; with few frames it comes from the
 * number of independent values.
 */
export const beyondStatedNoise: Check<Subject, 'fit'> = {
  kind: 'beyond noise',
  rank: 70,
  isCritical: true,
  needs: ['fit'],
  find: ({ fit: { observations }, counts, uncertainty }) =>
    observations.map((fit, k) => {
      const { field, expected, residuals, isLeast } = fit;
      if (expected === undefined || residuals.length === 0) return null;
      const squares = residuals.map((r) => (r / expected) ** 2);
      const times = Math.sqrt(mean(squares));
      const perIndependent = uncertainty?.residuals.perIndependent ?? 1;
      const isSeen =
        times > BEYOND_DOUBT ||
        // A stated lower bound may be exceeded.
        (!isLeast && times > 1 + NOISE_TOLERANCE && chanceOf(squares, counts[k], perIndependent) < FALSE_ALARMS.noise);
      const note = `The residual of ${field} is ${Number(times.toPrecision(3))} times the given noise${mostIn(fit, squares)}: the model lacks something, this is a false minimum, or the noise is larger.`;
      return isSeen && { note };
    }),
};

/**
 * Probability that the mean of squares is at least as large if its expectation is 1.
 * @param perIndependent number of values that carry the information of one independent value.
 */
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

/** Text that names the frames with most of the excess squares, if these are few. */
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
