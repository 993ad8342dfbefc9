import type { Frames } from '@gradsim/video';

/** Relative error of a pixel at which its weight falls to a quarter. */
const SCALE = 0.3;

/**
 * Weights that leave gross errors out, after an estimate that is roughly right: a face that looks like the ground behind
 * it, or a shadow that was taken for the body, is off by the whole of a pixel, while an outline that is nearly in its
 * place is off by a part. A residual r counts by 1 / (1 + (r / c)^2)^2 (S. Geman and D. McClure, 1985).
 *
 * @param weights those from before any estimate.
 * @param parts what was seen.
 * @param shown the same at the estimate.
 */
export function trusted(weights: Frames, parts: Frames, shown: ArrayLike<number>): Frames {
  const data = weights.data.map((weight, k) => {
    const off = (parts.data[k] - shown[k]) / SCALE;
    return weight / (1 + off * off) ** 2;
  });
  return { ...weights, data };
}
