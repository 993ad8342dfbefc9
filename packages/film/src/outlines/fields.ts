import { f32, field, vec2, vec3 } from '@gradsim/core';

/**
 * Centroid of the outline's area, px from the left and the upper edge, and its size, the square root of the area over
 * pi, px.
 */
export const outlineCentroidAndSize = field('world', 'outlineCentroidAndSize', vec3, { unit: 'px' });
/** Distance from the outline's middle to its rim in each of 24 directions, {@link outlineDirection}, px. */
export const outlineReach = field('outlineRays', 'reach', f32, { unit: 'px' });
/** Error common to all outlines of the film, px: of the middle, to the right and downwards, and of the size. */
export const outlineBias = field('world', 'outlineBias', vec3, { unit: 'px' });
/** Radius of the ball whose outline is computed, m. */
export const outlineRadius = field('world', 'outlineRadius', f32, { unit: 'm' });
/** Unit vectors of the 24 directions of `reach` in the picture: from the right on, clockwise. */
export const outlineDirection = field('outlineRays', 'direction', vec2);
