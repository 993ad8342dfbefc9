import type { Reader, U32 } from '@gradsim/core';
import { fieldOn, u32, vec2, when } from '@gradsim/core';
import type { PixelPlace } from '../pixels.ts';
import { reachWithMargin } from './corners.ts';
import { centreOf } from './pixel-centre.ts';
import type { RasterShape } from './shape.ts';
import type { Masks, Sums } from './tile-faces.ts';
import { overTileFaces } from './tile-faces.ts';
import type { PixelOnFace, TriangleReaders } from './triangle.ts';
import { barycentricOf, cornersOf, heightsOf, mayContribute, TRIANGLE_OF_FACE, triangleOf } from './triangle.ts';

/**
 * Specs of the masks of the faces that may contribute to a pixel, and of their geometry, for the `reads` of a kernel
 * over `pixels` with {@link overFaces}.
 */
export const FACES_OF_PIXEL = {
  ...TRIANGLE_OF_FACE,
  tileMask: fieldOn('tileWords', u32),
  groupMask: fieldOn('tileGroups', u32),
} as const;

/**
 * Specs of the masks of the faces that may cover a pixel, and of their geometry, for the `reads` of a kernel with
 * {@link overCoveringFaces}.
 */
export const COVERING_FACES = {
  ...TRIANGLE_OF_FACE,
  coveringMask: fieldOn('tileWords', u32),
  coveringGroupMask: fieldOn('tileGroups', u32),
} as const;

type CoveringFields = Readonly<TriangleReaders & Record<'coveringMask' | 'coveringGroupMask', Reader<U32>>>;

/**
 * Loops like {@link overFaces}, but only over the faces that may cover a pixel, which are fewer if `deviceReach` is larger
 * than a pixel.
 */
export function overCoveringFaces<S extends Sums>(
  shape: RasterShape,
  { coveringMask, coveringGroupMask, ...fields }: CoveringFields,
  place: PixelPlace,
  start: S,
  body: (face: U32, meeting: PixelOnFace, sums: S) => S,
): S {
  const masks = { tileMask: coveringMask, groupMask: coveringGroupMask };
  return overFaces(shape, 0, { ...fields, ...masks }, place, start, body);
}

/**
 * Returns the position of a pixel relative to a face, whether or not the face may contribute to the pixel, for a kernel
 * that reads {@link TRIANGLE_OF_FACE}.
 */
export function pixelOnFace(
  shape: RasterShape,
  fields: TriangleReaders,
  viewFace: U32,
  place: PixelPlace,
): PixelOnFace {
  const triangle = triangleOf(fields, viewFace);
  const pixel = centreOf(shape, place);
  const fromCorner = pixel.sub(cornersOf(triangle.screen)[0]);
  const above = heightsOf(triangle.heights, fromCorner);
  return { triangle, fromCorner, heights: above, barycentric: barycentricOf(triangle, above) };
}

/** Readers that a kernel gets for {@link FACES_OF_PIXEL}. */
export type FaceReaders = Masks & TriangleReaders;

/**
 * Loops over the faces that may contribute to a pixel, those within `deviceReach` (device coordinates with x times `aspect`)
 * and some more, by ascending index. `body` gets the index in `faces`, the position of the pixel relative to the face
 * and the current sums, and returns the new sums, with the same names in the same order; for a face that does not
 * contribute it must return them unchanged.
 */
export function overFaces<S extends Sums>(
  shape: RasterShape,
  deviceReach: number,
  fields: FaceReaders,
  place: PixelPlace,
  start: S,
  body: (face: U32, meeting: PixelOnFace, sums: S) => S,
): S {
  const { layout, faces } = shape;
  const reach = reachWithMargin(shape, deviceReach);
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
      mayContribute(heights, reach),
      (): S => {
        // Most faces fail their guard, and nothing more of them is read.
        const [screen, spans] = [fields.screen.at(viewFace), fields.spans.at(viewFace)];
        const triangle = { screen, heights: edges, spans, crossesCameraPlane: fields.isCut.at(viewFace) };
        const barycentric = barycentricOf(triangle, heights);
        return body(face, { triangle, fromCorner, heights, barycentric }, sums);
      },
      () => sums as NoInfer<S>,
    );
  });
}
