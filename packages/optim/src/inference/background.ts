import type { PreparedObservation } from '../objective/prepared-observation.ts';
import type { FrameCorrelation } from './frame-correlation.ts';

/** Residuals of values that depend on no unknown and no motion: noise, unless something is wrong there too. */
export interface Background {
  readonly variance: number;
  /** Variance of sums of neighbours over that of as many independent values: at least 1. */
  readonly together: number;
  /** Degrees of freedom by which that is known. */
  readonly freedom: number;
}

/** Residuals of an observation, [frame][component][element], NaN where a value depends on something or does not count. */
export interface StillResiduals extends Pick<PreparedObservation, 'elements' | 'values'> {
  readonly frames: readonly Float32Array[];
}

/** Neighbours in memory whose sums are measured: of pictures the largest are tiles of 8 x 8 pixels. */
const BLOCKS = [4, 16, 64];
/** Minimum number of blocks from which a correlation is measured. */
const MIN_BLOCKS = 60;
/** Minimum number of values from which a correlation is measured. */
const MIN_VALUES = 500;
/** Maximum number of values of a median: enough for a variance to 2 %. */
const MAX_VALUES = 20_000;
/** Maximum lag, frames, at which the correlation over time is measured. */
const MAX_LAGS = 12;
/** Correlation coefficient below which larger lags are not measured. */
const MIN_CORRELATION = 0.02;
/** Upper limit of the correlation coefficient. */
const MAX_CORRELATION = 0.99;
/** Median of the absolute value of a standard normal variable. */
const MEDIAN = 0.6745;
/** Efficiency of a variance from the median of absolute values, relative to a mean of squares. */
const EFFICIENCY = 0.37;
/** Significance, in standard deviations of a correlation coefficient, above which it is clear. */
const CLEARLY = 4;

/**
 * Measures the noise of the background by medians: a shadow, clutter or another light that the model lacks changes them
 * little as long as it covers less than half of the background, but would multiply a mean of squares.
 */
export function backgroundOf(parts: readonly StillResiduals[]): Background | null {
  const own = jumps(parts, 0);
  const varianceOf = estimatorFor(own);
  const variance = varianceOf(own);
  if (!(variance > 0)) return null;
  const measured = BLOCKS.flatMap((size) => [blockSums(parts, size, false), blockSums(parts, size, true)])
    .filter((sums) => sums.length >= MIN_BLOCKS)
    .map((sums) => ({ together: varianceOf(sums) / variance, freedom: EFFICIENCY * sums.length }));
  if (measured.length === 0) return null;
  const most = measured.reduce((a, b) => (b.together > a.together ? b : a));
  return { variance, together: Math.max(1, most.together), freedom: most.freedom };
}

/** Measures the correlation of that noise over frames in the same way; null for too few values. */
export function stillCorrelation(parts: readonly StillResiduals[]): FrameCorrelation | null {
  const still = jumps(parts, 0);
  const varianceOf = estimatorFor(still);
  const variance = varianceOf(still);
  if (!(variance > 0)) return null;
  const byLag = [1];
  for (let lag = 1; lag <= MAX_LAGS; lag++) {
    const own = jumps(parts, lag);
    if (own.length < MIN_VALUES) return lag === 1 ? null : { byLag, isFitted: false };
    const r = 1 - varianceOf(own) / (2 * variance);
    if (!(r > CLEARLY / Math.sqrt(EFFICIENCY * own.length) && r > MIN_CORRELATION)) break;
    byLag.push(Math.min(r, MAX_CORRELATION));
  }
  return { byLag, isFitted: false };
}

/** Differences between residuals so many frames apart; with a lag of 0 the residuals themselves. */
function jumps(parts: readonly StillResiduals[], lag: number): number[] {
  const count = parts.reduce((sum, { frames, values }) => sum + Math.max(0, frames.length - lag) * values, 0);
  const every = Math.ceil(count / MAX_VALUES);
  const found: number[] = [];
  for (const { frames } of parts)
    for (let f = 0; f + lag < frames.length; f++) {
      const [before, after] = [frames[f], frames[f + lag]];
      // Other places in each frame.
      for (let k = f % every; k < after.length; k += every) {
        const jump = lag === 0 ? after[k] : after[k] - before[k];
        if (!Number.isNaN(jump)) found.push(jump);
      }
    }
  return found;
}

/** Sums of blocks over the roots of how many values they have. */
function blockSums(parts: readonly StillResiduals[], size: number, overComponents: boolean): number[] {
  const count = parts.reduce((sum, { frames, values }) => sum + (frames.length * values) / size, 0);
  const every = Math.ceil(count / MAX_VALUES);
  const found: number[] = [];
  for (const { frames, elements, values } of parts) {
    const components = values / elements;
    const together = overComponents ? components : 1;
    frames.forEach((frame, f) => {
      for (let start = (f % every) * size; start < elements; start += every * size)
        for (let first = 0; first < components; first += together) {
          let [sum, held] = [0, 0];
          for (let c = first; c < first + together; c++)
            for (let k = c * elements + start; k < c * elements + Math.min(elements, start + size); k++) {
              if (Number.isNaN(frame[k])) continue;
              sum += frame[k];
              held++;
            }
          if (held > 0) found.push(sum / Math.sqrt(held));
        }
    });
  }
  return found;
}

/**
 * Returns how variances are measured: by medians, but by mean squares where most values are exactly 0, as in the background of a
 * mask, which is wrong at few pixels.
 */
const estimatorFor = (values: readonly number[]): typeof byMedian =>
  values.filter((value) => value === 0).length > values.length / 2 ? byMeanSquare : byMedian;

/** Variance of normal values of mean 0, from the median of their absolute values; NaN of none. */
function byMedian(values: readonly number[]): number {
  const sorted = Float64Array.from(values, Math.abs).sort();
  return (sorted[sorted.length >> 1] / MEDIAN) ** 2;
}

/** Variance of values of mean 0; NaN of none. */
const byMeanSquare = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value * value, 0) / values.length;
