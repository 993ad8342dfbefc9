/** Correlation of residuals over frames. */
export interface FrameCorrelation {
  /** By lag from 0, as far as it is there. */
  readonly byLag: readonly number[];
  /** Whether unknowns show in them: then a misfit of what moves does too. */
  readonly isFitted: boolean;
}

/** Values that tell it, the lags that are looked at, and the least and the largest correlation. */
const LEAST_VALUES = 500;
const MOST_LAGS = 12;
const LEAST_ALIKE = 0.02;
const MOST_ALIKE = 0.99;

/** Sums of r_f r_(f+l) and of r_f^2, and how many values, by lag l. */
export interface CrossProducts {
  readonly together: Float64Array;
  readonly own: Float64Array;
  readonly counts: Float64Array;
}

export const crossProducts = (): CrossProducts => ({
  together: new Float64Array(MOST_LAGS + 1),
  own: new Float64Array(MOST_LAGS + 1),
  counts: new Float64Array(MOST_LAGS + 1),
});

export function addCross({ together, own, counts }: CrossProducts, frames: readonly Float32Array[]): void {
  for (let l = 1; l < together.length; l++)
    for (let f = 0; f + l < frames.length; f++) {
      const [a, b] = [frames[f], frames[f + l]];
      for (let k = 0; k < a.length; k++) {
        const product = a[k] * b[k];
        if (Number.isNaN(product)) continue;
        together[l] += product;
        own[l] += (a[k] * a[k] + b[k] * b[k]) / 2;
        counts[l]++;
      }
    }
}

/**
 * Correlation of residuals over frames; null where too few values tell it.
 * @param isFitted whether unknowns show in them, so that the fit has taken out of what stays alike for long.
 */
export function frameCorrelation({ together, own, counts }: CrossProducts, isFitted: boolean): FrameCorrelation | null {
  if (!(counts[1] >= (isFitted ? 1 : LEAST_VALUES) && own[1] > 0)) return null;
  const byLag = [1];
  for (let l = 1; l < together.length; l++) {
    const r = together[l] / own[l];
    if (!(r > 2 / Math.sqrt(counts[l]) && r > LEAST_ALIKE)) break;
    byLag.push(Math.min(r, MOST_ALIKE));
  }
  return { byLag, isFitted };
}
