import type { RendererSettings } from '@gradsim/render/raster';

/** Options of the soft rasteriser, beside those of all renderers. */
export interface SoftRasOptions {
  /** Softness of outlines: squared distance in device coordinates over which coverage falls off. */
  readonly sigma?: number;
  /** Softness of depth: temperature of the softmax over normalised inverse depth. */
  readonly gamma?: number;
  /**
   * How colours lie over the background: `softmax`, the published formula, in which the background is one more, far face; or
   * `coverage`, in which it shows through what faces leave open. By the first, a face shows in full as far as it counts at
   * all, so colour ends at a step however large sigma is; by the second it fades as alpha does.
   */
  readonly compositing?: 'softmax' | 'coverage';
}

/** {@link SoftRasOptions} and what all renderers share, complete. */
export type RasterSettings = RendererSettings<SoftRasOptions>;

/** Values of {@link SoftRasOptions} unless given. */
export const SOFTRAS_DEFAULTS: Required<SoftRasOptions> = {
  sigma: 1e-5,
  gamma: 1e-4,
  compositing: 'softmax',
};

/** Coverage below which a face takes no part in a pixel outside of it. */
const LEAST_COVERAGE = 1e-4;

/** Squared distance outside of a triangle from which on it is ignored: sigma ln(1/1e-4 - 1). */
export function distanceCutoff(sigma: number): number {
  return sigma * Math.log(1 / LEAST_COVERAGE - 1);
}

/** How far outside of its triangle a face counts for a pixel, as distances are measured. */
export const faceRadius = ({ sigma }: RasterSettings): number => Math.sqrt(distanceCutoff(sigma));

/** Normalised inverse depth at which the background stands in the softmax; its weight there is exp(1e-3 / gamma). */
const BACKGROUND_INVERSE_DEPTH = 1e-3;

/**
 * The softmax in terms of depth itself: a face at depth z weighs `exp(-perDepth z)`, which is
 * `exp((far - z)/(far - near)/gamma)` up to a common factor, and the background as if it lay at `backgroundDepth`.
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
 * exp(-x) counts as nothing from here on (2e-22). Far above where single precision underflows, since arithmetic with
 * numbers below its normal ones takes a hundred times as long, and far below what changes a pixel, in doubles too.
 */
export const NEGLIGIBLE_EXPONENT = 50;
