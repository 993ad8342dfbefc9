import type { Device } from '@gradsim/core';
import { recordOf } from '@gradsim/core';
import type { ModelFilm } from '@gradsim/film';
import { filmModel } from '@gradsim/film';
import type { Observation } from '@gradsim/optim';
import { Vertex } from '@gradsim/render';
import type { SoftInstance } from './instance.ts';

/**
 * Kinds of observation: `film`, as floating-point values; `png`, a film quantised to 8 bits; `positions` of all
 * particles.
 */
export const OBSERVATION_KINDS = ['film', 'png', 'positions'] as const;
export type ObservationKind = (typeof OBSERVATION_KINDS)[number];

/** Films an instance with its true values. The film has no mask. */
export async function filmInstance(
  { model, timeline }: SoftInstance,
  seen: 'film' | 'png',
  device: Device,
): Promise<ModelFilm> {
  const film = await filmModel(model, timeline, { device, hasAlpha: false });
  return seen === 'png' ? film.in8Bits() : film;
}

/** Returns an observation of an instance with its true values, for use as a target. */
export async function observe(instance: SoftInstance, seen: ObservationKind, device: Device): Promise<Observation> {
  if (seen !== 'positions') return (await filmInstance(instance, seen, device)).observation;
  const { model, timeline } = instance;
  return { field: Vertex.position, target: await recordOf(model, Vertex.position, { device, ...timeline }) };
}
