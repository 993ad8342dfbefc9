import type { Frames } from '@gradsim/video';

/** Residual of a pixel's covered fraction at which the pixel's weight falls to a quarter. */
const SCALE = 0.3;

/**
 * Weights of pixels that suppress gross errors, given an estimate that is roughly right. A face of the body that looks
 * like the ground behind it, or a shadow mistaken for the body, makes errors of whole pixels; an outline that is nearly
 * in its place makes errors of fractions. A residual r multiplies the weight by 1 / (1 + (r / c)^2)^2 (S. Geman and D.
 * McClure, 1985).
 *
 * @param weights weights before any estimate.
 * @param parts observed fraction of each pixel that the body covers.
 * @param shown that fraction as rendered at the estimate.
 */
export function trusted(weights: Frames, parts: Frames, shown: ArrayLike<number>): Frames {
  const data = weights.data.map((weight, k) => {
    const off = (parts.data[k] - shown[k]) / SCALE;
    return weight / (1 + off * off) ** 2;
  });
  return { ...weights, data };
}
