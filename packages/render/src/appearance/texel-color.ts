import { field, vec3 } from '@gradsim/core';
import type { Look } from './look.ts';

/** Red, green, blue of every texel of all textures, one texture after another, row by row from the top. */
export const texelColor = field('texels', 'color', vec3);

/** Red, green, blue of every texel of all levels of all textures, one level after another, row by row from the top. */
export const pyramidColor = field('pyramid', 'color', vec3);

/** Texels from which pictures are drawn. */
export const shownTexels = ({ mipMaps }: Look) => (mipMaps ? pyramidColor : texelColor);
