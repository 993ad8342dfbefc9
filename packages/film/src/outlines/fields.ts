import { f32, field, vec2, vec3 } from '@gradsim/core';

/** The middle of the outline's area, pixels from the left and the upper edge, and the root of its area over pi. */
export const outline = field('world', 'outline', vec3, { unit: 'px' });
/** How far the outline reaches from its middle in each of 24 directions, {@link outlineDirection}. */
export const outlineReach = field('outlineRays', 'reach', f32, { unit: 'px' });
/** Pixels that the film's outlines are off by, all of them alike: of the middle, and all around. */
export const outlineShift = field('world', 'outlineShift', vec3, { unit: 'px' });
/** Radius of the ball whose outline it is. */
export const outlineRadius = field('world', 'outlineRadius', f32, { unit: 'm' });
/** From the right on, clockwise. */
export const outlineDirection = field('outlineRays', 'direction', vec2);
