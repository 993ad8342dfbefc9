import type { F32, Kernel } from '@gradsim/core';
import { adjointOf, exp, expm1, f32, index, kernel, mat33, on, select, u32, when } from '@gradsim/core';
import { placeOf } from '@gradsim/render';
import type { RasterShape } from '@gradsim/render/raster';
import {
  distance2Of,
  FACES_OF_PIXEL,
  nearestOf,
  outlineAdjoint,
  overFaces,
  overPixels,
  PIXELS_OF_FACE,
  zeroMatrix,
} from '@gradsim/render/raster';
import type { DibrSettings } from './options.ts';
import { distanceCutoff, faceRadius } from './options.ts';

/** What `shown` is where no face covers a pixel: a number that none of `viewFaces` has. */
export const noFace = ({ layout, faces }: RasterShape): number => layout.cameras * faces;

/** How much of a pixel outside of it a face leaves open, 1 - exp(-d^2/delta), without losing digits near its edge. */
const openOf = (distance2: F32, delta: number): F32 => expm1(distance2.mul(-1 / delta)).neg();

/**
 * The nearest face that covers each pixel, as its number among `viewFaces` (`shown`), or else what the faces near by leave
 * open of it, the product of 1 - exp(-d^2/delta). Where a face is shown, `open` has no meaning.
 * Source: DIB-R (Chen et al. 2019), as PHYSICS.md fixes it.
 */
export function nearestFace(shape: RasterShape, settings: DibrSettings): Kernel {
  const { delta, near, far } = settings;
  const cutoff = distanceCutoff(delta);
  return kernel(
    'nearestFace',
    {
      domain: 'pixels',
      reads: FACES_OF_PIXEL,
      writes: { shown: u32, open: f32 },
      adjoint: () => [nearestFaceAdjoint(shape, settings)],
    },
    (fields, { element }) => {
      const place = placeOf(shape.layout, element);
      const firstOfCamera = place.camera.mul(shape.faces);
      const start = { shown: u32(noFace(shape)), inverseDepth: f32(1 / far), open: f32(1) };
      const end = overFaces(
        shape,
        faceRadius(settings),
        fields,
        place,
        start,
        (face, meeting, sums): typeof start => {
          const { triangle, heights, fromCorner, barycentric } = meeting;
          return when(
            barycentric.inside,
            () => {
              const [a, b, c] = barycentric.w.map((w, k) => w.mul(triangle.screen.at(k, 2)));
              const inverseDepth = a.add(b).add(c);
              const isNearest = inverseDepth.gt(sums.inverseDepth).and(inverseDepth.le(1 / near));
              return {
                shown: select(isNearest, firstOfCamera.add(face), sums.shown),
                inverseDepth: select(isNearest, inverseDepth, sums.inverseDepth),
                open: sums.open,
              };
            },
            () => {
              const distance2 = distance2Of(nearestOf(triangle, heights, fromCorner));
              const open = select(distance2.lt(cutoff), openOf(distance2, delta), f32(1));
              return { ...sums, open: sums.open.mul(open) };
            },
          );
        },
      );
      return { shown: end.shown, open: end.open };
    },
  );
}

/** The adjoint of {@link nearestFace} with respect to `screen`: outlines move what is left open of pixels outside. */
function nearestFaceAdjoint(shape: RasterShape, settings: DibrSettings): Kernel {
  const { delta } = settings;
  const cutoff = distanceCutoff(delta);
  return kernel(
    'nearestFace_adjoint',
    {
      domain: 'faceLanes',
      reads: {
        ...{ viewFace: index('viewFaces'), shown: on('pixels', u32), open: on('pixels', f32) },
        openBar: adjointOf('open', on('pixels', f32)),
        ...PIXELS_OF_FACE,
      },
      adds: { screenBar: adjointOf('screen', on('viewFaces', mat33)) },
    },
    ({ viewFace, shown, open, openBar, screenBar, ...fields }, { element }) => {
      const start = { corners: zeroMatrix() };
      const end = overPixels(
        shape,
        faceRadius(settings),
        element,
        fields,
        start,
        (meeting, sums): typeof start => {
          const { pixel, triangle, heights, fromCorner, barycentric } = meeting;
          const isOpen = shown.at(pixel).eq(noFace(shape)).and(barycentric.inside.not());
          return when(
            isOpen,
            () => {
              const edges = nearestOf(triangle, heights, fromCorner);
              const distance2 = distance2Of(edges);
              const own = openOf(distance2, delta);
              const counts = distance2.lt(cutoff).and(own.gt(0));
              // The product of the others is that of all, over the own factor; d(own)/d(d^2) = exp(-d^2/delta)/delta.
              const others = open.at(pixel).div(select(counts, own, f32(1)));
              const slope = exp(distance2.mul(-1 / delta)).mul(1 / delta);
              const bar = select(counts, openBar.at(pixel).mul(others).mul(slope), f32(0));
              return { corners: sums.corners.add(outlineAdjoint(meeting, edges, bar)) };
            },
            () => sums,
          );
        },
      );
      screenBar.add(viewFace, end.corners);
    },
  );
}
