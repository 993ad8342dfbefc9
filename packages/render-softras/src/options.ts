import type { RendererSettings } from '@gradsim/render/raster';

/** Options specific to the soft rasteriser. */
export interface SoftRasOptions {
  /** Softness of outlines: squared distance in device coordinates over which coverage falls off; default 1e-5. */
  readonly sigma?: number;
  /** Softness of depth: temperature of the softmax over normalised inverse depth; default 1e-4. */
  readonly gamma?: number;
  /**
   * Compositing over the background: `softmax` (default), the published formula, treats the background as one more, far
   * face; `coverage` blends it by the openness of the faces. With `softmax` a face shows fully wherever it contributes
   * at all, so colour has a step at its outline for any sigma; with `coverage` it fades as alpha does. `area` blends by
   * the exact area of the surface within a box around each pixel, as a camera does, so that outlines have no bias: the
   * box extends 2 sqrt(sigma) to each side, rounded to a whole number of pixels, one at least.
   */
  readonly compositing?: 'softmax' | 'coverage' | 'area';
}

/** {@link SoftRasOptions} and the options of all renderers, with defaults filled in. */
export type RasterSettings = RendererSettings<SoftRasOptions>;

/** Defaults of {@link SoftRasOptions}. */
export const SOFTRAS_DEFAULTS: Required<SoftRasOptions> = {
  sigma: 1e-5,
  gamma: 1e-4,
  compositing: 'softmax',
};

/** Coverage below which a face does not contribute to a pixel outside of it. */
const MIN_COVERAGE = 1e-4;

/** Returns the squared distance outside of a triangle from which it does not contribute: sigma ln(1/1e-4 - 1). */
export function distanceCutoff(sigma: number): number {
  return sigma * Math.log(1 / MIN_COVERAGE - 1);
}

/**
 * Half width of the box whose edge has the variance of a soft one: h^2 / 3 = 2 ln(2) sigma, up to 2 %. Its unit is that
 * of sqrt(sigma).
 */
export const halfWidth = (sigma: number): number => 2 * Math.sqrt(sigma);

/**
 * Normalised inverse depth (0 at `far`, 1 at `near`) of the background in the softmax, whose weight is exp(1e-3 /
 * gamma).
 */
const BACKGROUND_INVERSE_DEPTH = 1e-3;

/**
 * Softmax weights as functions of depth: `exp(-perDepth z)` for a face at depth z, m, which equals `exp((far - z)/(far
 * - near)/gamma)` up to a common factor. The background has the weight of a face at `backgroundDepth`.
 */
export function softmaxScale({ gamma, near, far }: RasterSettings): {
  perDepth: number;
  backgroundDepth: number;
} {
  return {
    perDepth: 1 / ((far - near) * gamma),
    backgroundDepth: far - BACKGROUND_INVERSE_DEPTH * (far - near),
  };
}

/**
 * Exponent x from which exp(-x) (2e-22) is neglected: far below the rounding of a pixel even in doubles, but far above
 * underflow in single precision, since arithmetic with subnormal numbers takes a hundred times as long.
 */
export const NEGLIGIBLE_EXPONENT = 50;
