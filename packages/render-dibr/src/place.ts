import type { U32 } from '@gradsim/core';
import type { PixelPlace } from '@gradsim/render';
import type { Depth, RasterShape, TriangleReaders } from '@gradsim/render/raster';
import { depthOf, pixelOnFace } from '@gradsim/render/raster';

/** Depth and corner weights of the point on a face that a pixel sees. */
export function depthOnFace(shape: RasterShape, fields: TriangleReaders, viewFace: U32, place: PixelPlace): Depth {
  const { triangle, barycentric } = pixelOnFace(shape, fields, viewFace, place);
  return depthOf(triangle, barycentric);
}
