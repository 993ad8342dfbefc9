import { median } from '@gradsim/numeric';
import { correlationOf } from './correlation.ts';
import type { FrameCorrelation } from './frame-correlation.ts';

/** Scatter of the scores of one direction from frame to frame. */
export interface Scatter {
  /** Variance of their sum, in units of a score whose square is 1. */
  readonly variance: number;
  /** Variance of such a score; 0 with too few frames to measure it. */
  readonly scatter: number;
  /** Degrees of freedom of that estimate. */
  readonly freedom: number;
}

/** Scatter of each direction as estimated from all of them together. */
export type Pooled = Pick<Scatter, 'scatter' | 'freedom'>;

/** Number of degrees of freedom up to which differences give no variance; smaller numbers are raised to it. */
const MIN_FREEDOM = 3;
/** Minimum number of columns whose variances are pooled. */
const MIN_POOLED = 6;
/** Maximum number of degrees of freedom of a pooled variance. */
const MAX_POOLED = 60;
export const NOTHING_POOLED: Pooled = { scatter: 0, freedom: 0 };

/**
 * Pools the scatter of all columns, as far as it is equal in all: then few frames estimate it as well as many. With nu
 * degrees of freedom the logarithms scatter by 2 / nu; any excess is a difference between columns (G. K. Smyth, 2004).
 */
export function poolOf(all: readonly Pooled[]): Pooled {
  const measured = all.filter(({ scatter, freedom }) => scatter > 0 && freedom > 0);
  const logs = measured.map(({ scatter }) => Math.log(scatter));
  if (logs.length < MIN_POOLED) return NOTHING_POOLED;
  const middle = median(logs);
  const seen = logs.reduce((sum, log) => sum + (log - middle) ** 2, 0) / (logs.length - 1);
  const own = measured.reduce((sum, { freedom }) => sum + 2 / freedom, 0) / measured.length;
  return { scatter: Math.exp(middle), freedom: Math.min(MAX_POOLED, 2 / Math.max(1e-9, seen - own)) };
}

/**
 * Scatter of a direction: the larger of two estimates where all values depend on unknowns, since a misfit widens one of
 * them and the fit narrows it. Undefined with too few frames.
 *
 * @param alike correlation of residuals over frames.
 * @param scores of a direction, by frame, and its squares there.
 * @param variance of a residual.
 */
export function scatterOf(
  alike: FrameCorrelation | null,
  scores: Float64Array,
  squares: Float64Array,
  variance: number,
): Scatter | undefined {
  if (alike && !alike.isFitted) return scatterBy(alike.byLag, scores, squares);
  const own = scatterAlone(scores, squares, variance);
  if (!alike || !own) return own;
  const both = scatterBy(unfitted(alike.byLag, scores.length), scores, squares);
  if (both.freedom === 0) return undefined;
  const larger = own.variance * own.scatter > both.variance * both.scatter ? own : both;
  return { ...larger, freedom: Math.max(MIN_FREEDOM, Math.min(own.freedom, both.freedom)) };
}

/**
 * Variance of a sum of scores of variance c_0 G_f that are correlated over frames like residuals which depend on no
 * unknown, so that a misfit of the motion does not widen it. c_0 is that of their differences between frames, which
 * exclude slow changes.
 */
function scatterBy(alike: readonly number[], scores: Float64Array, squares: Float64Array): Scatter {
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
    for (let l = 0; l < alike.length && f + l < scores.length; l++)
      variance += (l === 0 ? 1 : 2) * alike[l] * roots[f] * roots[f + l];
  }
  // Differences of neighbours hold two scores each.
  const freedom = weights > 0 ? (2 / 3) * (weight ** 2 / weights) : 0;
  if (!(freedom > MIN_FREEDOM)) return { variance, scatter: 0, freedom: 0 };
  return { variance, scatter: sum / (2 * (1 - (alike[1] ?? 0)) * weight), freedom };
}

/**
 * Correlations corrected for the bias of a fit and of few frames: a first one r is (1 + 3 r) / F too small for F frames
 * (M. G. Kendall, 1954), and those of further lags are at least its powers.
 */
function unfitted(byLag: readonly number[], frames: number): number[] {
  const [, seen = 0] = byLag;
  const first = Math.min(0.95, seen + (1 + 3 * seen) / frames);
  return Array.from({ length: Math.max(2, Math.floor(frames / 2)) }, (_, l) => Math.max(byLag[l] ?? 0, first ** l));
}

/** Scatter where too few values are independent of the unknowns: by the correlation of the scores themselves. */
function scatterAlone(scores: Float64Array, squares: Float64Array, variance: number): Scatter | undefined {
  const whole = squares.reduce((sum, square) => sum + square, 0);
  const { spread, measured, lag } = correlationOf(
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
    scatter: variance * spread[0],
    freedom: Math.max(MIN_FREEDOM, (measured - 2) / (1 + lag)),
  };
}
