import type { Model } from '@gradsim/core';
import { f32, refuseUnknownChoice, vec4 } from '@gradsim/core';
import type { Background } from './background.ts';
import { refuseNoColor } from './background.ts';

/** What a renderer can draw: each has a field over `pixels`, `rgba`, `alpha` or `depth`. */
export type Drawing = 'color' | 'silhouette' | 'depth';

/** What every renderer is told, whatever else it takes: options of one name mean one thing. */
export interface RendererOptions {
  /** What to draw, in fields over `pixels`: `color` gives `rgba`, `silhouette` gives `alpha`, `depth` gives `depth`. */
  readonly drawings?: readonly Drawing[];
  /** One background colour (the field `world.background`), or one a pixel (`pixels.background`). */
  readonly background?: Background;
  /** Red, green, blue behind everything, or at first of every pixel when `background` is `image`. */
  readonly backgroundColor?: readonly [number, number, number];
  /** Depths between which faces are seen, along the viewing axis. */
  readonly near?: number;
  readonly far?: number;
  /** Whether faces seen from behind are drawn. */
  readonly doubleSided?: boolean;
}

const PICTURES = {
  color: { name: 'rgba', type: vec4 },
  silhouette: { name: 'alpha', type: f32 },
  depth: { name: 'depth', type: f32 },
} as const;

/** @throws for drawings that there are not, and for a background that is no colour. @param who names the renderer. */
export function checkPictures(
  who: string,
  { drawings, backgroundColor }: Required<Pick<RendererOptions, 'drawings' | 'backgroundColor'>>,
): void {
  for (const drawing of drawings)
    refuseUnknownChoice(`${who}: what drawings names`, drawing, Object.keys(PICTURES));
  refuseNoColor(`${who}: backgroundColor`, backgroundColor);
}

/** Adds the field of a drawing's picture. */
export function addPicture(model: Model, drawing: Drawing): void {
  const { name, type } = PICTURES[drawing];
  model.addField('pixels', name, type);
}
