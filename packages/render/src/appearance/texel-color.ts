import { field, vec3 } from '@gradsim/core';
import type { SurfaceLook } from './look.ts';

/** Field of the red, green, blue of every texel: one texture after another, each row by row from the top. */
export const texelColor = field('texels', 'color', vec3);

/**
 * Field of the red, green, blue of every texel with mip maps: the levels of all textures one after another, each row by
 * row from the top.
 */
export const pyramidColor = field('pyramid', 'color', vec3);

/** Field of the texels that pictures of a look are drawn from: with mip maps, those of all levels. */
export const drawnTexelColor = ({ mipMaps }: SurfaceLook) => (mipMaps ? pyramidColor : texelColor);
