import type { Model } from '@gradsim/core';
import type { ImageLayout } from '../layout.ts';
import { layoutOf } from '../layouts.ts';

/** Numbers of elements that the kernels of a rasteriser are built for. */
export interface RasterShape {
  readonly layout: ImageLayout;
  /** Number of faces of the whole scene; each is seen by every camera. */
  readonly faces: number;
  /** Factor by which device x is multiplied before distances are measured; see {@link withDistanceUnit}. */
  readonly aspect: number;
}

/**
 * Sets `aspect`, and so the unit of distances to outlines: 1, for device coordinates, or with `evenly` width / height,
 * which makes half of the picture's height the unit in both directions.
 */
export const withDistanceUnit = (shape: RasterShape, evenly: boolean): RasterShape => ({
  ...shape,
  aspect: evenly ? shape.layout.width / shape.layout.height : 1,
});

/**
 * Returns the shape of a built model, with an `aspect` of 1.
 *
 * @throws when the model was built without `render`.
 */
export const rasterShape = (model: Model): RasterShape => ({
  layout: layoutOf(model),
  faces: model.domain('faces').size,
  aspect: 1,
});

/** Number of faces per word of a tile's mask, and of those words per word of the mask above it. */
export const FACES_PER_WORD = 32;

/**
 * Returns the numbers of mask words: per tile (`words` of faces, and `groups` of words), and the sizes of the domains
 * `rowWords`, `columnWords`, `tileWords` and `tileGroups`.
 */
export function maskSizes({ layout, faces }: RasterShape): {
  words: number;
  groups: number;
  rowWords: number;
  columnWords: number;
  tileWords: number;
  tileGroups: number;
} {
  const words = Math.ceil(faces / FACES_PER_WORD);
  const groups = Math.ceil(words / FACES_PER_WORD);
  const { cameras, tilesX, tilesY, tiles } = layout;
  return {
    words,
    groups,
    rowWords: cameras * words * tilesY,
    columnWords: cameras * words * tilesX,
    tileWords: words * tiles,
    tileGroups: groups * tiles,
  };
}
