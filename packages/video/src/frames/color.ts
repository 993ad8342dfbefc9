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

/** Stored values up to which light is proportional to them; that of BT.709 jumps there by 4e-5. */
const PROPORTIONAL: Record<Transfer, number> = { srgb: 0.04045, bt709: 0.081, linear: 1 };
/** Number of intervals of a table of light by stored value: linear between them, 5e-8 off at most with what Float32 rounds. */
const INTERVALS = 4096;
const tables = new Map<Transfer, Float64Array>();

/** Light of stored values 0 to 1, and of one interval more. */
function lightTable(transfer: Transfer): Float64Array {
  const curve = curveOf(transfer, toLight);
  const known = tables.get(transfer) ?? Float64Array.from({ length: INTERVALS + 2 }, (_, k) => curve(k / INTERVALS));
  tables.set(transfer, known);
  return known;
}

/** Converts stored values to linear light, in place, both in [0, 1]. With 4 `channels`, alpha is unchanged. */
export function linearise(values: Float32Array, channels: number, transfer: Transfer): void {
  const table = lightTable(transfer);
  if (transfer === 'linear') return;
  const curve = toLight[transfer];
  const first = Math.ceil(PROPORTIONAL[transfer] * INTERVALS);
  for (let i = 0; i < values.length; i++) {
    if (channels === 4 && i % 4 === 3) continue;
    const at = values[i] * INTERVALS;
    const k = Math.floor(at);
    // A power takes ten times as long.
    values[i] = k >= first && k <= INTERVALS ? table[k] + (at - k) * (table[k + 1] - table[k]) : curve(values[i]);
  }
}

function curveOf(transfer: Transfer, table: typeof toLight): (value: number) => number {
  const curve = table[transfer];
  if (!curve)
    throw new GradsimError('video/unknown-choice', `There is no transfer "${String(transfer)}".`, {
      hint: `Use ${Object.keys(table).join(', ')}.`,
    });
  return curve;
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
  const curve = curveOf(transfer, toValue);
  const data = frames.data.map((light, i) => (frames.channels === 4 && i % 4 === 3 ? light : curve(light)));
  return { ...frames, data };
}
