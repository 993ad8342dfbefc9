import { sumOfSquares, upperMedian } from '@gradsim/base';
import { isLeftOut } from '../objective/noise.ts';
import type { PreparedObservation } from '../objective/prepared-observation.ts';
import type { FrameCorrelation } from './frame-correlation.ts';

/** Noise of the background: statistics of the residuals of values that depend on no unknown and no motion. */
export interface Background {
  readonly variance: number;
  /**
   * Variance of the sum of a block of neighbouring residuals, relative to that of as many independent ones; at least 1.
   */
  readonly correlationFactor: number;
  /** Degrees of freedom of the estimate `together`. */
  readonly freedom: number;
}

/** A frame of the output with its target: few of the residuals are looked at. */
export interface SeenFrame extends Pick<PreparedObservation['frames'][number], 'target' | 'rootWeights'> {
  /** Every `stride`-th value of the output. */
  readonly modelOutput: Float32Array;
  /** For each of these, 1 if it depends on an unknown or a motion. */
  readonly showing: Uint8Array;
  readonly stride: number;
}

/** Frames of an observation, of which values and elements are counted as `modelOutput` holds them. */
export interface SeenFrames extends Pick<PreparedObservation, 'elements' | 'values'> {
  readonly frames: readonly SeenFrame[];
}

/** Residual of a background value; NaN for one that depends on an unknown or a motion, or has weight 0. */
function stillResidual(frame: SeenFrame, k: number): number {
  const { modelOutput, target, showing, stride } = frame;
  if (showing[k] === 1 || isLeftOut(frame, k * stride)) return Number.NaN;
  return modelOutput[k] - target[k * stride];
}

/**
 * Numbers of neighbouring elements in a block whose residuals are summed; 64 elements of a picture are an 8 x 8 tile.
 */
const BLOCKS = [4, 16, 64];
/** Minimum number of blocks from which a correlation is measured. */
const MIN_BLOCKS = 60;
/** Minimum number of values from which a correlation is measured. */
const MIN_VALUES = 500;
/** Maximum number of values that a median is taken of; the variance from 20 000 values has a relative error of 2 %. */
const MAX_VALUES = 20_000;
/** Maximum lag at which the correlation over time is measured, frames. */
const MAX_LAGS = 12;
/** Correlation coefficient below which larger lags are not measured. */
const MIN_CORRELATION = 0.02;
/** Upper limit of the correlation coefficient. */
const MAX_CORRELATION = 0.99;
/** Median of the absolute value of a standard normal variable. */
const NORMAL_MEDIAN_DEVIATION = 0.6745;
/**
 * Statistical efficiency of a variance estimated from the median of absolute values, relative to the mean of squares.
 */
const MEDIAN_EFFICIENCY = 0.37;
/** Number of standard deviations above 0 at which a correlation coefficient counts as significant. */
const MIN_SIGNIFICANCE = 4;

/** Residuals of the background with their variance, and its estimator; see {@link estimatorFor}. */
interface StillSpread {
  readonly parts: readonly SeenFrames[];
  readonly variance: number;
  readonly varianceOf: (values: Float64Array) => number;
}

/** Measures the variance of the background's residuals; null if it is 0, or if there are none. */
export function spreadOf(parts: readonly SeenFrames[]): StillSpread | null {
  const own = neighbourDifferences(parts, 0);
  const varianceOf = estimatorFor(own);
  const variance = varianceOf(own);
  return variance > 0 ? { parts, variance, varianceOf } : null;
}

/**
 * Measures the noise of the background by medians of absolute residuals. A shadow, clutter or other light that the
 * model lacks hardly changes these while it covers less than half of the background; it would dominate a mean of
 * squares.
 */
export function backgroundOf({ parts, variance, varianceOf }: StillSpread): Background | null {
  const measured = BLOCKS.flatMap((size) => [blockSums(parts, size, false), blockSums(parts, size, true)])
    .filter((sums) => sums.length >= MIN_BLOCKS)
    .map((sums) => ({ correlationFactor: varianceOf(sums) / variance, freedom: MEDIAN_EFFICIENCY * sums.length }));
  if (measured.length === 0) return null;
  const most = measured.reduce((a, b) => (b.correlationFactor > a.correlationFactor ? b : a));
  return { variance, correlationFactor: Math.max(1, most.correlationFactor), freedom: most.freedom };
}

/** Measures the correlation over frames of the background's noise, by medians too; null if there are too few values. */
export function stillCorrelation({ parts, variance, varianceOf }: StillSpread): FrameCorrelation | null {
  const byLag = [1];
  for (let lag = 1; lag <= MAX_LAGS; lag++) {
    const own = neighbourDifferences(parts, lag);
    if (own.length < MIN_VALUES) return lag === 1 ? null : { byLag, isFitted: false };
    const r = 1 - varianceOf(own) / (2 * variance);
    if (!(r > MIN_SIGNIFICANCE / Math.sqrt(MEDIAN_EFFICIENCY * own.length) && r > MIN_CORRELATION)) break;
    byLag.push(Math.min(r, MAX_CORRELATION));
  }
  return { byLag, isFitted: false };
}

/**
 * Differences between residuals of the same value `lag` frames apart; for a lag of 0, the residuals. A sample of them.
 */
function neighbourDifferences(parts: readonly SeenFrames[], lag: number): Float64Array {
  const count = parts.reduce((sum, { frames, values }) => sum + Math.max(0, frames.length - lag) * values, 0);
  const every = Math.ceil(count / MAX_VALUES);
  const frames = parts.reduce((sum, part) => sum + part.frames.length, 0);
  const found = new Float64Array(Math.min(count, MAX_VALUES) + frames);
  let next = 0;
  for (const { frames } of parts)
    for (let f = 0; f + lag < frames.length; f++)
      // Other places in each frame.
      next = addDifferences(found, next, lag === 0 ? null : frames[f], frames[f + lag], f % every, every);
  return found.slice(0, next);
}

/** Writes every n-th difference that is a number, and returns the index behind the last one. */
function addDifferences(
  to: Float64Array,
  at: number,
  before: SeenFrame | null,
  after: SeenFrame,
  from: number,
  every: number,
): number {
  let next = at;
  for (let k = from; k < after.modelOutput.length; k += every) {
    const own = stillResidual(after, k);
    const jump = before ? own - stillResidual(before, k) : own;
    if (!Number.isNaN(jump)) to[next++] = jump;
  }
  return next;
}

/** Sums of the residuals in each block, divided by the square root of the number of residuals in it. */
function blockSums(parts: readonly SeenFrames[], size: number, overComponents: boolean): Float64Array {
  const count = parts.reduce((sum, { frames, values }) => sum + (frames.length * values) / size, 0);
  const every = Math.ceil(count / MAX_VALUES);
  const found: number[] = [];
  for (const { frames, elements, values } of parts) {
    const together = overComponents ? values / elements : 1;
    for (const [f, frame] of frames.entries())
      for (let start = (f % every) * size; start < elements; start += every * size)
        for (let first = start; first < values; first += together * elements) {
          const sum = blockSum(frame, first, Math.min(size, elements - start), elements, together);
          if (!Number.isNaN(sum)) found.push(sum);
        }
  }
  return Float64Array.from(found);
}

/**
 * Sum of the residuals in a block of each of some components, divided by the square root of their number; NaN for none.
 */
function blockSum(frame: SeenFrame, first: number, size: number, elements: number, components: number): number {
  let [sum, held] = [0, 0];
  for (let c = 0; c < components; c++)
    for (let k = first + c * elements; k < first + c * elements + size; k++) {
      const residual = stillResidual(frame, k);
      if (Number.isNaN(residual)) continue;
      sum += residual;
      held++;
    }
  return sum / Math.sqrt(held);
}

/**
 * Returns the estimator of variances: by medians or, if more than half of the values are exactly 0, as in the
 * background of a mask with few wrong pixels, by the mean of squares.
 */
const estimatorFor = (values: Float64Array): typeof byMedian =>
  values.filter((value) => value === 0).length > values.length / 2 ? byMeanSquare : byMedian;

/** Variance of normally distributed values of mean 0, from the median of their absolute values; NaN for no values. */
const byMedian = (values: Float64Array): number => (upperMedian(values.map(Math.abs)) / NORMAL_MEDIAN_DEVIATION) ** 2;

/** Variance of values of mean 0, as the mean of their squares; NaN for no values. */
const byMeanSquare = (values: Float64Array): number => sumOfSquares(values) / values.length;
