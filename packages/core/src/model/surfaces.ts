import type { FieldOf, Vec3 } from '@gradsim/kernel';
import { defineOffer } from './offers.ts';

/**
 * Something to be seen: triangles between elements that a physics package keeps. That package has their positions up to
 * date in phase `pose`; renderers read them there and know no physics.
 */
export interface Surface {
  /** Where its vertices are, m, world axes. */
  readonly position: FieldOf<Vec3>;
  /** Three elements of that field's domain a triangle, counter-clockwise seen from outside. */
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
 * model.offer(Surfaces, { position: Mote.position, triangles: [0, 1, 2] });
 * ```
 */
export const Surfaces = defineOffer<Surface>('surfaces', (surface) =>
  // Those who write no TypeScript may leave it out.
  (surface as Partial<Surface>).position
    ? undefined
    : 'without a `position`, the field of where vertices are',
);
