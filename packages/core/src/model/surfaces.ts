import type { FieldOf, Quat, Vec3 } from '@gradsim/kernel';
import { defineOffer } from './offers.ts';

/** Image that is mapped onto triangles. */
export interface Texture {
  /** Number of texels across (`width`) and down (`height`). */
  readonly width: number;
  readonly height: number;
  /** Red, green, blue in [0, 1] of every texel, row by row from the top. */
  readonly colors: ArrayLike<number>;
  /**
   * Behaviour of texture coordinates outside of [0, 1]: repeat the texture, or use its edge colour. Default `repeat`.
   */
  readonly wrap?: 'repeat' | 'clamp';
}

/** A moving coordinate system, and points at rest in it. */
export interface Axes {
  /**
   * Field of the position of the origin, m; and field of the orientation, a quaternion (x, y, z, w) from these axes to
   * the world.
   */
  readonly origin: FieldOf<Vec3>;
  readonly orientation: FieldOf<Quat>;
  /** Index of the element of the two fields. */
  readonly element: number;
  /** Field of the points in these axes, m, over the domain of their world positions. */
  readonly local: FieldOf<Vec3>;
}

/**
 * A visible surface: triangles between elements of a physics package. That package updates the positions in phase
 * `pose`; renderers read them and know no physics.
 */
export interface Surface {
  /** Field of the positions of its vertices, m, world axes. */
  readonly position: FieldOf<Vec3>;
  /** Triangles: indices of three elements of the domain of `position` each, counter-clockwise seen from outside. */
  readonly triangles: ArrayLike<number>;
  /** Red, green, blue in [0, 1], of every triangle or of every vertex of the domain. Default: light grey. */
  readonly triangleColors?: ArrayLike<number>;
  readonly vertexColors?: ArrayLike<number>;
  /** Textures that multiply the colours; they need `uvs`. */
  readonly textures?: readonly Texture[];
  /** Index into `textures` for each triangle. Default: 0. */
  readonly triangleTextures?: ArrayLike<number>;
  /**
   * Texture coordinates (u, v) of the three corners of every triangle, six numbers per triangle. u runs from 0 at the
   * left of the texture to 1 at the right, v from 0 at the top to 1 at the bottom.
   */
  readonly uvs?: ArrayLike<number>;
  /** Returns the name of a triangle for messages. */
  readonly describe?: (triangle: number) => string;
  /** Display name of the surface. */
  readonly name?: string;
  /** Axes with which its vertices move, if the surface is rigid. */
  readonly axes?: Axes;
}

/**
 * Offer of visible surfaces.
 *
 * ```ts
 * model.offer(Surfaces, { position: Mote.position, triangles: [0, 1, 2] });
 * ```
 */
export const Surfaces = defineOffer<Surface>('surfaces', (surface) =>
  // Callers without TypeScript may omit it.
  (surface as Partial<Surface>).position ? undefined : 'without a `position`, the field of where vertices are',
);
