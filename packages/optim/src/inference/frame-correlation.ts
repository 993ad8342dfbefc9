/** Correlation of residuals of the same value over frames. */
export interface FrameCorrelation {
  /** Correlation coefficient by lag in frames, beginning with 1 at lag 0. */
  readonly byLag: readonly number[];
  /** True if the values depend on unknowns, so that a misfit of the motion affects the correlation too. */
  readonly isFitted: boolean;
}

/** Maximum lag at which the correlation over time is measured, frames. */
const MAX_LAGS = 12;
/** Correlation coefficient below which larger lags are not measured. */
const MIN_CORRELATION = 0.02;
/** Upper limit of the correlation coefficient. */
const MAX_CORRELATION = 0.99;

/**
 * By lag l: sums of r_f r_(f+l) over frames f (`together`), sums of r_f^2 (`own`), and numbers of products (`counts`).
 */
export interface CrossProducts {
  readonly together: Float64Array;
  readonly own: Float64Array;
  readonly counts: Float64Array;
}

export const crossProducts = (): CrossProducts => ({
  together: new Float64Array(MAX_LAGS + 1),
  own: new Float64Array(MAX_LAGS + 1),
  counts: new Float64Array(MAX_LAGS + 1),
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

/** Correlation over frames of the residuals that depend on unknowns; null if there are none. */
export function frameCorrelation({ together, own, counts }: CrossProducts): FrameCorrelation | null {
  if (!(counts[1] >= 1 && own[1] > 0)) return null;
  const byLag = [1];
  for (let l = 1; l < together.length; l++) {
    const r = together[l] / own[l];
    if (!(r > 2 / Math.sqrt(counts[l]) && r > MIN_CORRELATION)) break;
    byLag.push(Math.min(r, MAX_CORRELATION));
  }
  return { byLag, isFitted: true };
}
