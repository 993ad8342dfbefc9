import type { Model } from '@gradsim/core';
import { flawOf, perWorld, vec3 } from '@gradsim/core';

/** One background colour, the field `world.background`, or one a pixel, `pixels.background`. */
export type Background = 'color' | 'image';

/** What a kernel over `pixels` reads as `background`, typed alike for both. */
export const backgroundType = (background: Background): typeof vec3 =>
  (background === 'image' ? vec3 : perWorld(vec3)) as typeof vec3;

/** Adds the field of the background, at first of one colour. */
export function addBackground(model: Model, background: Background, color: readonly number[]): void {
  model.addField(background === 'image' ? 'pixels' : 'world', 'background', vec3, { fill: color });
}

/** @throws for what is not red, green and blue. */
export function refuseNoColor(what: string, color: readonly number[]): void {
  const isColor = Array.isArray(color) && color.length === 3 && color.every((c) => flawOf(c, COLOR) === null);
  if (!isColor)
    throw new Error(`${what} takes three numbers, red, green and blue; got ${JSON.stringify(color)}.`);
}
const COLOR = { scalar: 'f32' } as const;
