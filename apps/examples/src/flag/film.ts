import type { Device } from '@gradsim/core';
import type { ModelFilm } from '@gradsim/film';
import { filmModel } from '@gradsim/film';
import { randomNumbers } from '@gradsim/optim';
import { normal } from '../scenes/draws.ts';
import type { Fabric, FlagOptions } from './scene.ts';
import { FLAG_TIMELINES, flagModel } from './scene.ts';

/** Standard deviation of the sensor noise in each channel of a pixel, relative to full light. */
export const SENSOR = 0.01;

/** Films a flag as a camera does: with sensor noise drawn from `seed`, quantised to 8 bits per channel. */
export async function filmFlag(
  fabric: Fabric,
  { seed, ...flag }: FlagOptions & { readonly seed: number },
  device: Device,
): Promise<ModelFilm> {
  const model = flagModel(fabric, { ...flag, steps: 'explicit' });
  const clean = await filmModel(model, FLAG_TIMELINES.explicit, { device, hasAlpha: false });
  const random = randomNumbers(seed);
  const noisy = (value: number): number => Math.min(1, Math.max(0, value + SENSOR * normal(random)));
  return clean.map((value, channel) => (channel === 3 ? value : noisy(value))).in8Bits();
}
