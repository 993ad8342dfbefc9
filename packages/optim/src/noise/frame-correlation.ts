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
 * Correlation over frames of the residuals that depend on unknowns; null if there are none.
 * @param residualsByPart residuals of each observation, [frame][value]; NaN for other values.
 */
export function frameCorrelation(residualsByPart: readonly (readonly Float32Array[])[]): FrameCorrelation | null {
  const byLag = [1];
  for (let l = 1; l <= MAX_LAGS; l++) {
    const { laggedProducts, squares, count } = crossProducts(residualsByPart, l);
    if (l === 1 && !(count >= 1 && squares > 0)) return null;
    const r = laggedProducts / squares;
    if (!(r > 2 / Math.sqrt(count) && r > MIN_CORRELATION)) break;
    byLag.push(Math.min(r, MAX_CORRELATION));
  }
  return { byLag, isFitted: true };
}

/** Sums of r_f r_(f+l) over frames f (`laggedProducts`), of r_f^2 (`squares`), and the number of products, at lag l. */
function crossProducts(
  parts: readonly (readonly Float32Array[])[],
  l: number,
): Readonly<Record<'laggedProducts' | 'squares' | 'count', number>> {
  let [laggedProducts, squares, count] = [0, 0, 0];
  for (const frames of parts)
    for (let f = 0; f + l < frames.length; f++) {
      const [a, b] = [frames[f], frames[f + l]];
      for (let k = 0; k < a.length; k++) {
        const product = a[k] * b[k];
        if (Number.isNaN(product)) continue;
        laggedProducts += product;
        squares += (a[k] * a[k] + b[k] * b[k]) / 2;
        count++;
      }
    }
  return { laggedProducts, squares, count };
}
