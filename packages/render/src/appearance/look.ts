import type { Model } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';

/**
 * Appearance of the surfaces of a model: what they have and what light is computed. Drawing kernels are specialised to
 * it.
 */
export interface SurfaceLook {
  /** Content of `faces.color`: one colour per face, or one for each of its corners, which is interpolated. */
  readonly colors: 'face' | 'corner';
  /** True if faces have textures; the colour shown is the product of texture and face colour. */
  readonly textured: boolean;
  /** True if textures have mip maps; a mip level is then chosen for each face and camera. */
  readonly mipMaps: boolean;
  /** Kinds of light computed per pixel; null if the face colours already include the light. */
  readonly light: PixelLight | null;
  /**
   * Source of normals: `face`, computed per face; `vertex`, means over the faces around a vertex; `given`, read from
   * `vertices.normal`.
   */
  readonly normals: 'face' | 'vertex' | 'given';
}

/** Kinds of light that are computed per pixel in addition to the ambient light. */
export interface PixelLight {
  readonly directional: boolean;
  /** True if the directional light has Phong highlights. */
  readonly highlights: boolean;
  readonly harmonics: boolean;
  /** True if the directional light falls on both sides of a face. */
  readonly twoSided: boolean;
}

/** Look of each built model. */
const looks = new WeakMap<Model, SurfaceLook>();

export function setLook(model: Model, look: SurfaceLook): void {
  looks.set(model, look);
}

/**
 * Returns the look of a model's surfaces.
 *
 * @throws when the model was built without `render`.
 */
export function lookOf(model: Model): SurfaceLook {
  const look = looks.get(model);
  if (!look)
    throw new GradsimError('render/no-pictures', 'This model has no pictures.', {
      hint: 'Register render(...) from @gradsim/render in its scene.',
    });
  return look;
}
