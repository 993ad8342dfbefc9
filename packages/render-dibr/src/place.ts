import type { Mat33, Reader, U32 } from '@gradsim/core';
import { mat33, on, u32 } from '@gradsim/core';
import type { PixelPlace } from '@gradsim/render';
import type { Depth, RasterShape } from '@gradsim/render/raster';
import { depthOf, meetingOf } from '@gradsim/render/raster';

/** The fields that say where on a face a pixel lies, to read in a kernel over `pixels`. */
export const PLACE_FIELDS = {
  screen: on('viewFaces', mat33),
  heights: on('viewFaces', mat33),
  spans: on('viewFaces', mat33),
  isCut: on('viewFaces', u32),
} as const;

/** What {@link PLACE_FIELDS} are in a kernel. */
export type PlaceReaders = Readonly<
  Record<'screen' | 'heights' | 'spans', Reader<Mat33>> & Record<'isCut', Reader<U32>>
>;

/** What a pixel sees of one face that covers it. */
export function depthOn(shape: RasterShape, fields: PlaceReaders, viewFace: U32, place: PixelPlace): Depth {
  const { triangle, barycentric } = meetingOf(shape, fields, viewFace, place);
  return depthOf(triangle, barycentric);
}
