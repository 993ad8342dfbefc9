import type { FieldOf, Quat, Vec3 } from '@gradsim/kernel';
import { defineOffer } from './offers.ts';

/** A picture that is laid over triangles. */
export interface Texture {
  /** Texels across and down. */
  readonly width: number;
  readonly height: number;
  /** Red, green, blue of every texel, row by row from the top. */
  readonly colors: ArrayLike<number>;
  /** Continuation beyond its rim: the texture again, or the colour of the rim. Default `repeat`. */
  readonly wrap?: 'repeat' | 'clamp';
}

/** Axes that move, and points that stand still in them. */
export interface Axes {
  /** Position of their origin, and their orientation: a quaternion (x, y, z, w) from them to the world. */
  readonly origin: FieldOf<Vec3>;
  readonly orientation: FieldOf<Quat>;
  /** Which element of those fields. */
  readonly element: number;
  /** The points, over the domain of where they are in the world. */
  readonly local: FieldOf<Vec3>;
}

/**
 * Something to be seen: triangles between elements that a physics package keeps. That package has their positions up to
 * date in phase `pose`; renderers read them there and know no physics.
 */
export interface Surface {
  /** Positions of its vertices, m, world axes. */
  readonly position: FieldOf<Vec3>;
  /** Three elements of that field's domain a triangle, counter-clockwise seen from outside. */
  readonly triangles: ArrayLike<number>;
  /** Red, green, blue in [0, 1] of every triangle, or of every vertex of the domain. Default a light grey. */
  readonly triangleColors?: ArrayLike<number>;
  readonly vertexColors?: ArrayLike<number>;
  /** By what colours are multiplied; with them, `uvs`. */
  readonly textures?: readonly Texture[];
  /** Which of the textures each triangle has. Default the first. */
  readonly triangleTextures?: ArrayLike<number>;
  /**
   * Texture coordinates (u, v) of the three corners of every triangle, six numbers each: from 0 at the left and at the
   * top of the texture to 1 at the right and at the bottom.
   */
  readonly uvs?: ArrayLike<number>;
  /** Names a triangle in messages. */
  readonly describe?: (triangle: number) => string;
  /** Names it where it is shown. */
  readonly name?: string;
  /** The axes that its vertices move with, if they keep their distances. */
  readonly axes?: Axes;
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
  (surface as Partial<Surface>).position ? undefined : 'without a `position`, the field of where vertices are',
);
