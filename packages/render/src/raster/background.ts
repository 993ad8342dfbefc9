import type { Model, Reader, U32, Vec3 } from '@gradsim/core';
import { describeValue, fieldOn, GradsimError, perWorld, vec3 } from '@gradsim/core';
import { flawOf } from '@gradsim/core/internal';

/** Granularity of the background: one colour, the field `world.background`, or one per pixel, `pixels.background`. */
export type Background = 'color' | 'image';

/**
 * Type of `background` in the `reads` of a kernel over `pixels`. Its static type is that of a field of vectors in both
 * cases.
 */
export const backgroundType = (background: Background): typeof vec3 =>
  (background === 'image' ? vec3 : perWorld(vec3)) as typeof vec3;

/**
 * Spec of `background` in the `reads` of a kernel over a domain other than `pixels`, to be read by {@link
 * backgroundAt}.
 */
export const backgroundReads = (background: Background): BackgroundSpec =>
  (background === 'image' ? fieldOn('pixels', vec3) : perWorld(vec3)) as BackgroundSpec;
type BackgroundSpec = ReturnType<typeof fieldOn<Vec3, 'pixels'>>;

/** Background colour of a pixel, in a kernel that reads `background` as {@link backgroundReads}. */
export const backgroundAt = (background: Background, read: Reader<Vec3>, pixel: U32): Vec3 =>
  background === 'image' ? read.at(pixel) : (read as unknown as Vec3);

/** Adds the background's field, filled with one colour. */
export function addBackground(model: Model, background: Background, color: readonly number[]): void {
  model.addField(background === 'image' ? 'pixels' : 'world', 'background', vec3, { fill: color });
}

/** @throws for a colour that is not three numbers; `label` names it in the message. */
export function refuseNoColor(label: string, color: readonly number[]): void {
  const isColor = Array.isArray(color) && color.length === 3 && color.every((c) => flawOf(c, NUMBER_COLOR) === null);
  if (!isColor)
    throw new GradsimError(
      'render/wrong-size',
      `${label} takes three numbers, red, green and blue; got ${describeValue(color)}.`,
    );
}
const NUMBER_COLOR = { scalar: 'f32' } as const;
