import type { RendererSettings } from '@gradsim/render/raster';

/** Options of the interpolation renderer, besides those of all renderers. */
export interface DibrOptions {
  /** Softness of silhouettes: squared distance in device coordinates over which alpha falls off outside of the mesh. */
  readonly delta?: number;
  /**
   * Colour of a pixel that no face covers: the background only (`nearest`, the published formula), or the nearest face
   * blended over it by alpha (`coverage`). With the first, colour has a step at outlines, and a colour loss has no
   * gradient of them; with the second it fades as alpha does.
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

/** Alpha below which a face is ignored at a pixel outside of it. */
const MIN_ALPHA = 1e-4;

/** Returns the squared distance outside of a triangle at which it is ignored: delta ln(1e4). */
export const distanceCutoff = (delta: number): number => delta * Math.log(1 / MIN_ALPHA);

/** Returns the distance outside of its triangle up to which a face counts for a pixel, in the units of distances. */
export const faceRadius = ({ delta }: DibrSettings): number => Math.sqrt(distanceCutoff(delta));
