import { flawOf, refuseUnknownChoice, refuseUnknownOptions } from '@gradsim/core';
import type { Background } from '@gradsim/render/raster';

/** How the soft rasteriser draws. */
export interface SoftRasOptions {
  /** Softness of outlines: squared distance in device coordinates over which coverage falls off. */
  readonly sigma?: number;
  /**
   * Whether outlines are equally soft in both directions of a picture that is not square: distances are then measured in
   * halves of its height; in device coordinates x goes by halves of its width. Default false, as published.
   */
  readonly evenOutlines?: boolean;
  /** Softness of depth: temperature of the softmax over normalised inverse depth. */
  readonly gamma?: number;
  /**
   * How colours lie over the background: `softmax`, the published formula, in which the background is one more, far face; or
   * `coverage`, in which it shows through what faces leave open. By the first, a face shows in full as far as it counts at
   * all, so colour ends at a step however large sigma is; by the second it fades as alpha does.
   */
  readonly compositing?: 'softmax' | 'coverage';
  /** Depths between which faces take part in colour and depth, along the viewing axis. */
  readonly near?: number;
  readonly far?: number;
  /** Whether faces seen from behind are drawn. */
  readonly doubleSided?: boolean;
  /** One background colour, or one a pixel. */
  readonly background?: Background;
}

/** {@link SoftRasOptions}, complete. */
export type RasterSettings = Required<SoftRasOptions>;

/** What {@link SoftRasOptions} are unless given. */
export const SOFTRAS_DEFAULTS: RasterSettings = {
  sigma: 1e-5,
  evenOutlines: false,
  gamma: 1e-4,
  compositing: 'softmax',
  near: 0.1,
  far: 100,
  doubleSided: true,
  background: 'color',
};

/**
 * Fills in {@link SOFTRAS_DEFAULTS}.
 *
 * @throws for an option that there is not, when sigma, gamma or near are not positive, or far does not lie beyond near.
 */
export function softRasOptions(options: SoftRasOptions = {}): RasterSettings {
  refuseUnknownOptions('softras', options, SOFTRAS_DEFAULTS);
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const full: RasterSettings = { ...SOFTRAS_DEFAULTS, ...Object.fromEntries(given) };
  for (const name of ['sigma', 'gamma', 'near'] as const) {
    const must = flawOf(full[name], { scalar: 'f32', range: 'positive' });
    if (must) throw new RangeError(`softras: ${name} is ${full[name]}; it must ${must}.`);
  }
  refuseUnknownChoice('softras: compositing', full.compositing, ['softmax', 'coverage']);
  refuseUnknownChoice('softras: background', full.background, ['color', 'image']);
  if (!(full.far > full.near) || flawOf(full.far, { scalar: 'f32' })) {
    throw new RangeError(`softras: far (${full.far}) must lie beyond near (${full.near}).`);
  }
  return full;
}

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
