import { GradsimError } from '@gradsim/base';

import type { Frames } from './frames.ts';

/**
 * Transfer function from linear light to stored values. `srgb`: IEC 61966-2-1, used by images and GIFs. `bt709`: the
 * camera curve of ITU-R BT.709 (and BT.601, BT.2020), used by nearly all videos. `linear`: stored values are
 * proportional to light.
 */
export type Transfer = 'srgb' | 'bt709' | 'linear';

const toLight: Record<Transfer, (value: number) => number> = {
  srgb: (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4),
  bt709: (v) => (v < 0.081 ? v / 4.5 : ((v + 0.099) / 1.099) ** (1 / 0.45)),
  linear: (v) => v,
};

const toValue: Record<Transfer, (light: number) => number> = {
  srgb: (l) => (l <= 0.0031308 ? 12.92 * l : 1.055 * l ** (1 / 2.4) - 0.055),
  bt709: (l) => (l < 0.018 ? 4.5 * l : 1.099 * l ** 0.45 - 0.099),
  linear: (l) => l,
};

/** Weights of linear red, green and blue in luminance, for the primaries of BT.709 and sRGB. */
export const luminance = [0.2126, 0.7152, 0.0722] as const;

/** Converts stored values to linear light, in place, both in [0, 1]. With 4 `channels`, alpha is unchanged. */
export function linearise(values: Float32Array, channels: number, transfer: Transfer): void {
  apply(values, channels, transfer, toLight);
}

/** Function from the index of a pixel in a picture to its linear light: [red, green, blue] or [grey]. */
export type PixelLight = (pixel: number) => number[];

/**
 * Returns a function that converts single pixels of a picture to linear light, so that the rest need not be converted.
 */
export function lightOf(picture: Float32Array, channels: number, transfer: Transfer): PixelLight {
  const curve = curveOf(transfer, toLight);
  if (channels < 3) return (pixel) => [curve(picture[pixel * channels])];
  return (pixel) => {
    const at = pixel * channels;
    return [curve(picture[at]), curve(picture[at + 1]), curve(picture[at + 2])];
  };
}

function curveOf(transfer: Transfer, table: typeof toLight): (value: number) => number {
  const curve = table[transfer];
  if (!curve)
    throw new GradsimError('video/unknown-choice', `There is no transfer "${String(transfer)}".`, {
      hint: `Use ${Object.keys(table).join(', ')}.`,
    });
  return curve;
}

/** The values of 8 bits. */
const EIGHT_BITS = Float32Array.from({ length: 256 }, (_, k) => k / 255);

function apply(values: Float32Array, channels: number, transfer: Transfer, table: typeof toLight): void {
  const curve = curveOf(transfer, table);
  if (transfer === 'linear') return;
  // Most pictures have values of 8 bits, whose powers are computed once.
  const known = EIGHT_BITS.map(curve);
  for (let i = 0; i < values.length; i++) {
    if (channels === 4 && i % 4 === 3) continue;
    const value = values[i]!;
    const k = Math.round(255 * value);
    values[i] = EIGHT_BITS[k] === value ? known[k]! : curve(value);
  }
}

/**
 * Converts a film to linear light, in which sums and averages of values are those of light, as motion blur needs.
 *
 * @example
 * const light = toLinear(film, 'bt709');
 */
export function toLinear(frames: Frames, transfer: Transfer): Frames {
  const data = frames.data.slice();
  linearise(data, frames.channels, transfer);
  return { ...frames, data };
}

/** Converts a film in linear light to stored values: the inverse of {@link toLinear}. */
export function fromLinear(frames: Frames, transfer: Transfer): Frames {
  const data = frames.data.slice();
  apply(data, frames.channels, transfer, toValue);
  return { ...frames, data };
}
