import { median } from '@gradsim/base';
import { correlationOf } from './correlation.ts';
import type { FrameCorrelation } from './frame-correlation.ts';

/** Scatter of the scores g . r of one direction g from frame to frame. */
export interface Scatter {
  /** Variance of the sum of the scores over frames, in units of the variance of a score with |g|^2 = 1. */
  readonly variance: number;
  /** Variance of a score with |g|^2 = 1; 0 if there are too few frames to measure it. */
  readonly scatter: number;
  /** Degrees of freedom of the estimate `scatter`. */
  readonly freedom: number;
}

/** Scatter estimated from all directions together. */
export type Pooled = Pick<Scatter, 'scatter' | 'freedom'>;

/** Lower bound of degrees of freedom: with fewer, differences give no usable variance. */
const MIN_FREEDOM = 3;
/** Minimum number of columns for which variances are pooled. */
const MIN_POOLED_COLUMNS = 6;
/** Maximum number of degrees of freedom of a pooled variance. */
const MAX_POOLED_FREEDOM = 60;
export const NOTHING_POOLED: Pooled = { scatter: 0, freedom: 0 };

/**
 * Pools the variances of all columns as far as they agree, so that few frames suffice for an estimate. With nu degrees
 * of freedom, the logarithms of estimated variances scatter with the variance 2 / nu; any excess is a true difference
 * between columns (G. K. Smyth, 2004).
 */
export function poolOf(all: readonly Pooled[]): Pooled {
  const measured = all.filter(({ scatter, freedom }) => scatter > 0 && freedom > 0);
  const logs = measured.map(({ scatter }) => Math.log(scatter));
  if (logs.length < MIN_POOLED_COLUMNS) return NOTHING_POOLED;
  const middle = median(logs);
  const seen = logs.reduce((sum, log) => sum + (log - middle) ** 2, 0) / (logs.length - 1);
  const own = measured.reduce((sum, { freedom }) => sum + 2 / freedom, 0) / measured.length;
  return { scatter: Math.exp(middle), freedom: Math.min(MAX_POOLED_FREEDOM, 2 / Math.max(1e-9, seen - own)) };
}

/**
 * Estimates the scatter of a direction. If all values depend on unknowns, it is the larger of two estimates, since a
 * misfit widens one and the fit narrows the other. Undefined with too few frames.
 *
 * @param correlation correlation of residuals over frames.
 * @param scores score of the direction in each frame; `squares`: its squared length in each frame.
 * @param variance variance of a residual.
 */
export function scatterOf(
  correlation: FrameCorrelation | null,
  scores: Float64Array,
  squares: Float64Array,
  variance: number,
): Scatter | undefined {
  if (correlation && !correlation.isFitted) return scatterBy(correlation.byLag, scores, squares);
  const own = scatterAlone(scores, squares, variance);
  if (!correlation || !own) return own;
  const both = scatterBy(unfitted(correlation.byLag, scores.length), scores, squares);
  if (both.freedom === 0) return undefined;
  const larger = own.variance * own.scatter > both.variance * both.scatter ? own : both;
  return { ...larger, freedom: Math.max(MIN_FREEDOM, Math.min(own.freedom, both.freedom)) };
}

/**
 * Variance of a sum of scores with variances c_0 G_f, correlated over frames by a given autocorrelation: that of
 * residuals that depend on no unknown, so that a misfit of the motion does not widen it. c_0 comes from differences of
 * scores between frames, which exclude slow changes.
 */
function scatterBy(correlation: readonly number[], scores: Float64Array, squares: Float64Array): Scatter {
  const roots = squares.map((square) => Math.sqrt(Math.max(0, square)));
  const largest = roots.reduce((most, root) => Math.max(most, root), 0);
  let [weight, weights, sum, variance] = [0, 0, 0, 0];
  for (let f = 0; f < scores.length; f++) {
    const g = f + 1;
    const both = g < scores.length ? roots[f] * roots[g] : 0;
    if (both > 1e-6 * largest ** 2) {
      weight += both;
      weights += both * both;
      sum += both * (scores[f] / roots[f] - scores[g] / roots[g]) ** 2;
    }
    for (let l = 0; l < correlation.length && f + l < scores.length; l++)
      variance += (l === 0 ? 1 : 2) * correlation[l] * roots[f] * roots[f + l];
  }
  // Differences of neighbours hold two scores each.
  const freedom = weights > 0 ? (2 / 3) * (weight ** 2 / weights) : 0;
  if (!(freedom > MIN_FREEDOM)) return { variance, scatter: 0, freedom: 0 };
  return { variance, scatter: sum / (2 * (1 - (correlation[1] ?? 0)) * weight), freedom };
}

/**
 * Autocorrelations corrected for the bias from the fit and from few frames: at lag 1 the estimate r is too small by (1
 * + 3 r) / F for F frames (M. G. Kendall, 1954); at larger lags the result is at least the power of that at lag 1.
 */
function unfitted(byLag: readonly number[], frames: number): number[] {
  const [, seen = 0] = byLag;
  const first = Math.min(0.95, seen + (1 + 3 * seen) / frames);
  return Array.from({ length: Math.max(2, Math.floor(frames / 2)) }, (_, l) => Math.max(byLag[l] ?? 0, first ** l));
}

/** Scatter from the correlation of the scores themselves, if too few values are independent of the unknowns. */
function scatterAlone(scores: Float64Array, squares: Float64Array, variance: number): Scatter | undefined {
  const whole = squares.reduce((sum, square) => sum + square, 0);
  const { scoreCovariance, measured, correlationLength } = correlationOf(
    {
      scores: Array.from(scores, (score) => Float64Array.of(score)),
      information: Array.from(squares, (square) => Float64Array.of(square)),
    },
    [Float64Array.of(1 / Math.sqrt(whole))],
    variance,
  );
  if (measured === null) return undefined;
  return {
    variance: whole,
    scatter: variance * scoreCovariance[0],
    freedom: Math.max(MIN_FREEDOM, (measured - 2) / (1 + correlationLength)),
  };
}
