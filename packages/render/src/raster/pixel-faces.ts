import type { Mat33, Reader, U32 } from '@gradsim/core';
import { fieldOn, mat33, u32, vec2, when } from '@gradsim/core';
import type { PixelPlace } from '../pixels.ts';
import { guardReach } from './corners.ts';
import { centreOf } from './pixel-centre.ts';
import type { RasterShape } from './shape.ts';
import type { Masks, Sums } from './tile-faces.ts';
import { overTileFaces } from './tile-faces.ts';
import type { Meeting } from './triangle.ts';
import { barycentricOf, cornersOf, heightsOf, mayCount } from './triangle.ts';

/** Readers of the geometry of `viewFaces`; see `faceCorners` and `faceOutlines`. */
type FaceReaders = Readonly<Record<'screen' | 'heights' | 'spans', Reader<Mat33>> & Record<'isCut', Reader<U32>>>;

/**
 * Specs of the masks of the faces that may contribute to a pixel, and of their geometry, for the `reads` of a kernel
 * over `pixels` with {@link overFaces}.
 */
export const FACES_OF_PIXEL = {
  screen: fieldOn('viewFaces', mat33),
  heights: fieldOn('viewFaces', mat33),
  spans: fieldOn('viewFaces', mat33),
  isCut: fieldOn('viewFaces', u32),
  tileMask: fieldOn('tileWords', u32),
  groupMask: fieldOn('tileGroups', u32),
} as const;

/**
 * Specs of the masks of the faces that may cover a pixel, and of their geometry, for the `reads` of a kernel with
 * {@link overCoveringFaces}.
 */
export const COVERING_FACES = {
  screen: fieldOn('viewFaces', mat33),
  heights: fieldOn('viewFaces', mat33),
  spans: fieldOn('viewFaces', mat33),
  isCut: fieldOn('viewFaces', u32),
  coveringMask: fieldOn('tileWords', u32),
  coveringGroupMask: fieldOn('tileGroups', u32),
} as const;

type CoveringFields = Readonly<FaceReaders & Record<'coveringMask' | 'coveringGroupMask', Reader<U32>>>;

/**
 * Loops like {@link overFaces}, but only over the faces that may cover a pixel, which are fewer if `radius` is larger
 * than a pixel.
 */
export function overCoveringFaces<S extends Sums>(
  shape: RasterShape,
  { coveringMask, coveringGroupMask, ...fields }: CoveringFields,
  place: PixelPlace,
  start: S,
  body: (face: U32, meeting: Meeting, sums: S) => S,
): S {
  const masks = { tileMask: coveringMask, groupMask: coveringGroupMask };
  return overFaces(shape, 0, { ...fields, ...masks }, place, start, body);
}

/** Returns the position of a pixel relative to a face, whether or not the face may contribute to the pixel. */
export function meetingOf(
  shape: RasterShape,
  { screen, heights, spans, isCut }: FaceReaders,
  viewFace: U32,
  place: PixelPlace,
): Meeting {
  const triangle = {
    screen: screen.at(viewFace),
    heights: heights.at(viewFace),
    spans: spans.at(viewFace),
    isCut: isCut.at(viewFace),
  };
  const pixel = centreOf(shape, place);
  const fromCorner = pixel.sub(cornersOf(triangle.screen)[0]);
  const above = heightsOf(triangle.heights, fromCorner);
  return { triangle, fromCorner, heights: above, barycentric: barycentricOf(triangle, above) };
}

type FaceFields = Masks & FaceReaders;

/**
 * Loops over the faces that may contribute to a pixel, those within `radius` (device coordinates with x times `aspect`)
 * and some more, by ascending index. `body` gets the index in `faces`, the position of the pixel relative to the face
 * and the current sums, and returns the new sums, with the same names in the same order; for a face that does not
 * contribute it must return them unchanged.
 */
export function overFaces<S extends Sums>(
  shape: RasterShape,
  radius: number,
  fields: FaceFields,
  place: PixelPlace,
  start: S,
  body: (face: U32, meeting: Meeting, sums: S) => S,
): S {
  const { layout, faces } = shape;
  const reach = guardReach(shape, radius);
  // A branch's result is computed where the branch stands. Compilers move plain arithmetic to its first use, into the
  // loop.
  const pixel = when(
    place.row.lt(layout.height),
    () => centreOf(shape, place),
    () => vec2(0, 0),
  );
  return overTileFaces(shape, fields, place, start, (face, sums) => {
    const viewFace = place.camera.mul(faces).add(face);
    const [origin] = cornersOf(fields.screen.at(viewFace));
    const edges = fields.heights.at(viewFace);
    const fromCorner = pixel.sub(origin);
    const heights = heightsOf(edges, fromCorner);
    return when(
      mayCount(heights, reach),
      (): S => {
        // Most faces fail their guard, and nothing more of them is read.
        const [screen, spans] = [fields.screen.at(viewFace), fields.spans.at(viewFace)];
        const triangle = { screen, heights: edges, spans, isCut: fields.isCut.at(viewFace) };
        const barycentric = barycentricOf(triangle, heights);
        return body(face, { triangle, fromCorner, heights, barycentric }, sums);
      },
      () => sums as NoInfer<S>,
    );
  });
}
