import type { Mat33, Reader, U32 } from '@gradsim/core';
import { fieldOn, mat33, u32 } from '@gradsim/core';
import type { PixelPlace } from '@gradsim/render';
import type { Depth, RasterShape } from '@gradsim/render/raster';
import { depthOf, meetingOf } from '@gradsim/render/raster';

/**
 * Specs of the geometry of faces from which the point seen by a pixel follows, for the `reads` of a kernel over
 * `pixels`.
 */
export const PLACE_FIELDS = {
  screen: fieldOn('viewFaces', mat33),
  heights: fieldOn('viewFaces', mat33),
  spans: fieldOn('viewFaces', mat33),
  isCut: fieldOn('viewFaces', u32),
} as const;

/** Readers that a kernel gets for {@link PLACE_FIELDS}. */
export type PlaceReaders = Readonly<
  Record<'screen' | 'heights' | 'spans', Reader<Mat33>> & Record<'isCut', Reader<U32>>
>;

/** Depth and corner weights of the point on a face that a pixel sees. */
export function depthOn(shape: RasterShape, fields: PlaceReaders, viewFace: U32, place: PixelPlace): Depth {
  const { triangle, barycentric } = meetingOf(shape, fields, viewFace, place);
  return depthOf(triangle, barycentric);
}
