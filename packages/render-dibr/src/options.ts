import { flawOf, refuseUnknownChoice, refuseUnknownOptions } from '@gradsim/core';
import type { Background } from '@gradsim/render/raster';

/** How the interpolation renderer draws. */
export interface DibrOptions {
  /** Softness of silhouettes: squared distance in device coordinates over which alpha falls off outside of the mesh. */
  readonly delta?: number;
  /**
   * Whether outlines are equally soft in both directions of a picture that is not square: distances are then measured in
   * halves of its height; in device coordinates x goes by halves of its width. Default false, as published.
   */
  readonly evenOutlines?: boolean;
  /**
   * What a pixel shows that no face covers: the background alone (`nearest`, the published formula), or in front of it, as
   * far as alpha says, the face next to it (`coverage`). By the first, colour ends at a step, and a loss of colours sees
   * nothing of outlines; by the second it fades as alpha does.
   */
  readonly compositing?: 'nearest' | 'coverage';
  /** Depths between which faces are seen, along the viewing axis. */
  readonly near?: number;
  readonly far?: number;
  /** Whether faces seen from behind are drawn. */
  readonly doubleSided?: boolean;
  /** One background colour, or one a pixel. */
  readonly background?: Background;
}

/** {@link DibrOptions}, complete. */
export type DibrSettings = Required<DibrOptions>;

/** What {@link DibrOptions} are unless given. */
export const DIBR_DEFAULTS: DibrSettings = {
  delta: 1e-4,
  evenOutlines: false,
  compositing: 'nearest',
  near: 0.1,
  far: 100,
  doubleSided: true,
  background: 'color',
};

/**
 * Fills in {@link DIBR_DEFAULTS}.
 *
 * @throws for an option that there is not, when delta or near are not positive, or far does not lie beyond near.
 */
export function dibrOptions(options: DibrOptions = {}): DibrSettings {
  refuseUnknownOptions('dibr', options, DIBR_DEFAULTS);
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const full: DibrSettings = { ...DIBR_DEFAULTS, ...Object.fromEntries(given) };
  for (const name of ['delta', 'near'] as const) {
    const must = flawOf(full[name], { scalar: 'f32', range: 'positive' });
    if (must) throw new RangeError(`dibr: ${name} is ${full[name]}; it must ${must}.`);
  }
  refuseUnknownChoice('dibr: compositing', full.compositing, ['nearest', 'coverage']);
  refuseUnknownChoice('dibr: background', full.background, ['color', 'image']);
  if (!(full.far > full.near) || flawOf(full.far, { scalar: 'f32' }))
    throw new RangeError(`dibr: far (${full.far}) must lie beyond near (${full.near}).`);
  return full;
}

/** Below this a face adds nothing to the alpha of a pixel outside of it. */
const LEAST_ALPHA = 1e-4;

/** Squared distance outside of a triangle from which on it is ignored: delta ln(1e4). */
export const distanceCutoff = (delta: number): number => delta * Math.log(1 / LEAST_ALPHA);

/** How far outside of its triangle a face counts for a pixel, as distances are measured. */
export const faceRadius = ({ delta }: DibrSettings): number => Math.sqrt(distanceCutoff(delta));
