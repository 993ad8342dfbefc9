import { f32, field, vec2, vec3 } from '@gradsim/core';

/** The middle of the outline's area, pixels from the left and the upper edge, and the root of its area over pi. */
export const outline = field('world', 'outline', vec3, { unit: 'px' });
/** Reach of the outline from its middle in each of 24 directions, {@link outlineDirection}, px. */
export const outlineReach = field('outlineRays', 'reach', f32, { unit: 'px' });
/** Error that all outlines of the film share, px: of the middle, and all around. */
export const outlineShift = field('world', 'outlineShift', vec3, { unit: 'px' });
/** Radius of the ball whose outline it is. */
export const outlineRadius = field('world', 'outlineRadius', f32, { unit: 'm' });
/** Directions of the reaches, from the right, clockwise. */
export const outlineDirection = field('outlineRays', 'direction', vec2);
