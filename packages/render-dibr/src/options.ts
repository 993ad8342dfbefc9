import type { RendererSettings } from '@gradsim/render/raster';

/** Options of the interpolation renderer, beside those of all renderers. */
export interface DibrOptions {
  /** Softness of silhouettes: squared distance in device coordinates over which alpha falls off outside of the mesh. */
  readonly delta?: number;
  /**
   * What a pixel shows that no face covers: the background alone (`nearest`, the published formula), or in front of it, as
   * far as alpha says, the face next to it (`coverage`). By the first, colour ends at a step, and a loss of colours sees
   * nothing of outlines; by the second it fades as alpha does.
   */
  readonly compositing?: 'nearest' | 'coverage';
}

/** {@link DibrOptions} and what all renderers share, complete. */
export type DibrSettings = RendererSettings<DibrOptions>;

/** Values of {@link DibrOptions} unless given. */
export const DIBR_DEFAULTS: Required<DibrOptions> = {
  delta: 1e-4,
  compositing: 'nearest',
};

/** Below this a face adds nothing to the alpha of a pixel outside of it. */
const LEAST_ALPHA = 1e-4;

/** Squared distance outside of a triangle from which on it is ignored: delta ln(1e4). */
export const distanceCutoff = (delta: number): number => delta * Math.log(1 / LEAST_ALPHA);

/** How far outside of its triangle a face counts for a pixel, as distances are measured. */
export const faceRadius = ({ delta }: DibrSettings): number => Math.sqrt(distanceCutoff(delta));
