import { defineOffer } from './offers.ts';

/**
 * Something to be seen: triangles over a domain that a physics package keeps. In phase `pose` that package fills the
 * domain's field `position` (vec3, world coordinates); renderers read it from there and know no physics.
 */
export interface Surface {
  /** The domain of its vertices. */
  readonly domain: string;
  /** Three vertices of that domain a triangle, counter-clockwise seen from outside. */
  readonly triangles: ArrayLike<number>;
  /** Red, green, blue in [0, 1] of every triangle, or of every vertex of the domain. Default a light grey. */
  readonly triangleColors?: ArrayLike<number>;
  readonly vertexColors?: ArrayLike<number>;
  /** Names a triangle in messages. */
  readonly describe?: (triangle: number) => string;
}

/**
 * Surfaces that can be seen.
 *
 * ```ts
 * model.offer(Surfaces, { domain: 'motes', triangles: [0, 1, 2] });
 * ```
 */
export const Surfaces = defineOffer<Surface>('surfaces');
