import type { Device } from '@gradsim/core';
import { recordOf } from '@gradsim/core';
import type { ModelFilm } from '@gradsim/film';
import { filmModel } from '@gradsim/film';
import type { Observation } from '@gradsim/optim';
import { Vertex } from '@gradsim/render';
import type { SoftInstance } from './instance.ts';

/** Observations of an instance: its film, as floats or through 8-bit PNG files, or the positions of its particles. */
export const SEEN = ['film', 'png', 'positions'] as const;
export type Seen = (typeof SEEN)[number];

/** Films an instance as it is. The film has no mask. */
export async function filmInstance(
  { model, timeline }: SoftInstance,
  seen: 'film' | 'png',
  device: Device,
): Promise<ModelFilm> {
  const film = await filmModel(model, timeline, { device, hasAlpha: false });
  return seen === 'png' ? film.in8Bits() : film;
}

/** Observations of an instance as targets. */
export async function observe(instance: SoftInstance, seen: Seen, device: Device): Promise<Observation> {
  if (seen !== 'positions') return (await filmInstance(instance, seen, device)).observation;
  const { model, timeline } = instance;
  return { field: Vertex.position, target: await recordOf(model, Vertex.position, { device, ...timeline }) };
}
