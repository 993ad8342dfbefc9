import type { RendererSettings } from '@gradsim/render/raster';

/** Options of the soft rasteriser, besides those of all renderers. */
export interface SoftRasOptions {
  /** Softness of outlines: squared distance in device coordinates over which coverage falls off; default 1e-5. */
  readonly sigma?: number;
  /** Softness of depth: temperature of the softmax over normalised inverse depth; default 1e-4. */
  readonly gamma?: number;
  /**
   * Compositing over the background: `softmax` (default), the published formula, in which the background is one more, far face;
   * or `coverage`, in which it shows through by the openness of the faces. With the first, a face shows in full
   * wherever it counts at all, so colour has a step for any sigma; with the second it fades as alpha does.
   */
  readonly compositing?: 'softmax' | 'coverage';
}

/** {@link SoftRasOptions} and the options of all renderers, with defaults filled in. */
export type RasterSettings = RendererSettings<SoftRasOptions>;

/** Defaults of {@link SoftRasOptions}. */
export const SOFTRAS_DEFAULTS: Required<SoftRasOptions> = {
  sigma: 1e-5,
  gamma: 1e-4,
  compositing: 'softmax',
};

/** Coverage below which a face is ignored at a pixel outside of it. */
const MIN_COVERAGE = 1e-4;

/** Returns the squared distance outside of a triangle at which it is ignored: sigma ln(1/1e-4 - 1). */
export function distanceCutoff(sigma: number): number {
  return sigma * Math.log(1 / MIN_COVERAGE - 1);
}

/** Returns the distance outside of its triangle up to which a face counts for a pixel, in the units of distances. */
export const faceRadius = ({ sigma }: RasterSettings): number => Math.sqrt(distanceCutoff(sigma));

/** Normalised inverse depth of the background in the softmax; its weight there is exp(1e-3 / gamma). */
const BACKGROUND_INVERSE_DEPTH = 1e-3;

/**
 * Softmax in terms of depth: a face at depth z has the weight `exp(-perDepth z)`, which is `exp((far - z)/(far -
 * near)/gamma)` up to a common factor, and the background that of `backgroundDepth`.
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
 * Exponent from which exp(-x) is negligible (2e-22). Far from underflow in single precision, since arithmetic with
 * subnormal numbers takes a hundred times as long, and far below the rounding of a pixel, in doubles too.
 */
export const NEGLIGIBLE_EXPONENT = 50;
