import type { Model } from '@gradsim/core';
import { f32, vec4 } from '@gradsim/core';

/** What a renderer can draw: each has a field over `pixels`, `rgba`, `alpha` or `depth`. */
export type Drawing = 'color' | 'silhouette' | 'depth';

const PICTURES = {
  color: { name: 'rgba', type: vec4 },
  silhouette: { name: 'alpha', type: f32 },
  depth: { name: 'depth', type: f32 },
} as const;

/** The names of all drawings. */
export const DRAWINGS = Object.keys(PICTURES) as readonly Drawing[];

/** Adds the field of a drawing's picture. */
export function addPicture(model: Model, drawing: Drawing): void {
  const { name, type } = PICTURES[drawing];
  model.addField('pixels', name, type);
}
