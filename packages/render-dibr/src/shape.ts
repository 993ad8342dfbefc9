import type { Kernel } from '@gradsim/core';
import { adjointOf, f32, fieldOn, index, kernel, mat33, u32, when } from '@gradsim/core';
import { inPicture, placeOf } from '@gradsim/render';
import type { RasterShape } from '@gradsim/render/raster';
import {
  depthOf,
  noFace,
  overPixels,
  PIXELS_OF_FACE,
  seenPointAdjoint,
  TRIANGLE_OF_FACE,
  zeroMatrix,
} from '@gradsim/render/raster';
import type { DibrSettings } from './options.ts';
import { depthOnFace } from './place.ts';

/** Kernel that writes `alpha`, 1 minus the openness of a pixel. */
export const drawSilhouette = (shape: RasterShape): Kernel =>
  kernel(
    'dibrSilhouette',
    { domain: 'pixels', reads: { open: f32 }, writes: { alpha: f32 } },
    ({ open }, { element }) => ({
      alpha: inPicture(shape.layout, placeOf(shape.layout, element), f32(1).sub(open)),
    }),
  );

/** Kernel that writes the depth of the face shown at a pixel, m; `far` where none is. */
export const drawDepth = (shape: RasterShape, { far }: DibrSettings): Kernel =>
  kernel(
    'dibrDepth',
    {
      domain: 'pixels',
      reads: { shown: u32, ...TRIANGLE_OF_FACE },
      writes: { depth: f32 },
      adjoint: () => [depthAdjoint(shape)],
    },
    ({ shown, ...fields }, { element }) => {
      const place = placeOf(shape.layout, element);
      const depth = when(
        shown.lt(noFace(shape)),
        () => depthOnFace(shape, fields, shown, place).z,
        () => f32(far),
      );
      return { depth: inPicture(shape.layout, place, depth) };
    },
  );

const depthAdjoint = (shape: RasterShape): Kernel =>
  kernel(
    'dibrDepth_adjoint',
    {
      domain: 'faceLanes',
      reads: {
        viewFace: index('viewFaces'),
        shown: fieldOn('pixels', u32),
        depthBar: adjointOf('depth', fieldOn('pixels', f32)),
        ...PIXELS_OF_FACE,
      },
      adds: { screenBar: adjointOf('screen', fieldOn('viewFaces', mat33)) },
    },
    ({ viewFace, shown, depthBar, screenBar, ...fields }, { element }) => {
      const start = { corners: zeroMatrix() };
      const end = overPixels(shape, 0, element, fields, start, (meeting, sums): typeof start =>
        when(
          shown.at(meeting.pixel).eq(viewFace),
          () => {
            const depth = depthOf(meeting.triangle, meeting.barycentric);
            const bar = depthBar.at(meeting.pixel);
            return { corners: sums.corners.add(seenPointAdjoint(meeting, depth, bar, null)) };
          },
          () => sums,
        ),
      );
      screenBar.add(viewFace, end.corners);
    },
  );
