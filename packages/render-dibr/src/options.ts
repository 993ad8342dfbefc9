import type { RendererSettings } from '@gradsim/render/raster';

/** Options specific to the interpolation renderer. */
export interface DibrOptions {
  /**
   * Softness of silhouettes: alpha outside of a face is exp(-d^2/delta), d being the distance to it in device
   * coordinates.
   */
  readonly delta?: number;
  /**
   * Colour of a pixel that no face covers: `nearest`, the published formula, shows the background only; `coverage`
   * blends the nearest face over it by alpha. With `nearest`, colour has a step at outlines, so a loss on colour has no
   * gradient with respect to outlines; with `coverage` colour fades as alpha does.
   */
  readonly compositing?: 'nearest' | 'coverage';
}

/** {@link DibrOptions} and the options of all renderers, with defaults filled in. */
export type DibrSettings = RendererSettings<DibrOptions>;

/** Defaults of {@link DibrOptions}. */
export const DIBR_DEFAULTS: Required<DibrOptions> = {
  delta: 1e-4,
  compositing: 'nearest',
};

/** Alpha below which a face does not contribute to a pixel outside of it. */
const MIN_ALPHA = 1e-4;

/** Returns the squared distance outside of a triangle from which it does not contribute: delta ln(1e4). */
export const distanceCutoff = (delta: number): number => delta * Math.log(1 / MIN_ALPHA);

/**
 * Returns the distance outside of its triangle up to which a face contributes to a pixel, in the unit of sqrt(delta).
 */
export const faceRadius = ({ delta }: DibrSettings): number => Math.sqrt(distanceCutoff(delta));
