import type { FieldOf, Quat, Vec3 } from '@gradsim/kernel';
import { defineOffer } from './offers.ts';

/** Image mapped onto triangles. */
export interface Texture {
  /** Texels across and down. */
  readonly width: number;
  readonly height: number;
  /** Red, green, blue of every texel, row by row from the top. */
  readonly colors: ArrayLike<number>;
  /** Wrap mode beyond the edge: repeat the texture, or clamp to its edge colour. Default `repeat`. */
  readonly wrap?: 'repeat' | 'clamp';
}

/** A moving frame of reference, and points at rest in it. */
export interface Axes {
  /** Position of its origin, m, and its orientation: a quaternion (x, y, z, w) from these axes to the world. */
  readonly origin: FieldOf<Vec3>;
  readonly orientation: FieldOf<Quat>;
  /** Element of those fields. */
  readonly element: number;
  /** Points in these axes, over the domain of their world positions. */
  readonly local: FieldOf<Vec3>;
}

/**
 * A visible surface: triangles between elements that a physics package owns. That package updates their positions in
 * phase `pose`; renderers read them there and know no physics.
 */
export interface Surface {
  /** Positions of its vertices, m, world axes. */
  readonly position: FieldOf<Vec3>;
  /** Triangles: three elements of that field's domain each, counter-clockwise seen from outside. */
  readonly triangles: ArrayLike<number>;
  /** Red, green, blue in [0, 1] of every triangle, or of every vertex of the domain. Default a light grey. */
  readonly triangleColors?: ArrayLike<number>;
  readonly vertexColors?: ArrayLike<number>;
  /** Textures that multiply the colours; they need `uvs`. */
  readonly textures?: readonly Texture[];
  /** Texture of each triangle, as an index into `textures`. Default the first. */
  readonly triangleTextures?: ArrayLike<number>;
  /**
   * Texture coordinates (u, v) of the three corners of every triangle, six numbers each: from 0 at the left and at the
   * top of the texture to 1 at the right and at the bottom.
   */
  readonly uvs?: ArrayLike<number>;
  /** Name of a triangle in messages. */
  readonly describe?: (triangle: number) => string;
  /** Display name. */
  readonly name?: string;
  /** Axes that its vertices move with, if it is rigid. */
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
