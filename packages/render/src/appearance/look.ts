import type { Model } from '@gradsim/core';

/** How the surfaces of a model look: what kernels that draw them are built for. */
export interface Look {
  /** One colour a face, or one for each of its corners, interpolated: what `faces.color` holds. */
  readonly colors: 'face' | 'corner';
  /** Whether faces have textures, by which their colours are multiplied. */
  readonly textured: boolean;
  /** Whether textures have mip maps, of which each face has a level, as a camera sees it. */
  readonly mipMaps: boolean;
  /** How light falls on every pixel; null where colours hold it already, face by face. */
  readonly light: PixelLight | null;
  /** What normals are: of faces, means around vertices, or what is given as `vertices.normal`. */
  readonly normals: 'face' | 'vertex' | 'given';
}

/** What kinds of light there are beside the ambient one. */
export interface PixelLight {
  readonly directional: boolean;
  /** Phong's highlights of the directional light. */
  readonly highlights: boolean;
  readonly harmonics: boolean;
  /** Whether the directional light falls on both sides of a face. */
  readonly twoSided: boolean;
}

/** The look of a built model. */
const looks = new WeakMap<Model, Look>();

export function setLook(model: Model, look: Look): void {
  looks.set(model, look);
}

/**
 * How the surfaces of a model look.
 *
 * @throws when the model was built without `render`.
 */
export function lookOf(model: Model): Look {
  const look = looks.get(model);
  if (!look) throw new Error('This model has no pictures: register render(...) from @gradsim/render in its scene.');
  return look;
}
