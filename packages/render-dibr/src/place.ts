import type { Mat33, Reader, U32 } from '@gradsim/core';
import { fieldOn, mat33, u32 } from '@gradsim/core';
import type { PixelPlace } from '@gradsim/render';
import type { Depth, RasterShape } from '@gradsim/render/raster';
import { depthOf, meetingOf } from '@gradsim/render/raster';

/** Fields with the position of a pixel on a face, to read in a kernel over `pixels`. */
export const PLACE_FIELDS = {
  screen: fieldOn('viewFaces', mat33),
  heights: fieldOn('viewFaces', mat33),
  spans: fieldOn('viewFaces', mat33),
  isCut: fieldOn('viewFaces', u32),
} as const;

/** {@link PLACE_FIELDS} as seen in a kernel. */
export type PlaceReaders = Readonly<
  Record<'screen' | 'heights' | 'spans', Reader<Mat33>> & Record<'isCut', Reader<U32>>
>;

/** Depth and weights of a face that covers a pixel. */
export function depthOn(shape: RasterShape, fields: PlaceReaders, viewFace: U32, place: PixelPlace): Depth {
  const { triangle, barycentric } = meetingOf(shape, fields, viewFace, place);
  return depthOf(triangle, barycentric);
}
