import type { Kernel } from '@gradsim/core';
import { f32, kernel, select, u32 } from '@gradsim/core';
import { andInPicture, placeOf } from '../pixels.ts';
import type { RendererOptions } from './drawing.ts';
import { COVERING_FACES, overCoveringFaces } from './pixel-faces.ts';
import type { RasterShape } from './shape.ts';
import { mayCount } from './triangle.ts';

/**
 * How far beyond an edge a pixel is still covered, in device coordinates: one on the edge between two faces, by rounding,
 * would else be covered by neither.
 */
const ON_EDGE = 1e-7;

/** What `shown` is where no face covers a pixel: a number that none of `viewFaces` has. */
export const noFace = ({ layout, faces }: RasterShape): number => layout.cameras * faces;

/**
 * The nearest face that covers each pixel, as its number among `viewFaces`, in `shown`; needs `covering` of the face passes. It is a whole number: derivatives hold
 * visibility. Source: DIB-R (Chen et al. 2019), as PHYSICS.md fixes it.
 */
export function nearestFace(
  shape: RasterShape,
  { near, far }: Required<Pick<RendererOptions, 'near' | 'far'>>,
): Kernel {
  return kernel(
    'nearestFace',
    { domain: 'pixels', reads: COVERING_FACES, writes: { shown: u32 } },
    (fields, { element }) => {
      const place = placeOf(shape.layout, element);
      const firstOfCamera = place.camera.mul(shape.faces);
      const start = { shown: u32(noFace(shape)), inverseDepth: f32(1 / far) };
      const { shown } = overCoveringFaces(
        shape,
        fields,
        place,
        start,
        (face, { triangle, heights, barycentric }, sums): typeof start => {
          const [a, b, c] = barycentric.w.map((w, k) => w.mul(triangle.screen.at(k, 2)));
          const inverseDepth = a.add(b).add(c);
          const covers = mayCount(heights, ON_EDGE).and(triangle.spans.at(0, 2).ne(0));
          const isNearest = covers.and(inverseDepth.gt(sums.inverseDepth)).and(inverseDepth.le(1 / near));
          return {
            shown: select(isNearest, firstOfCamera.add(face), sums.shown),
            inverseDepth: select(isNearest, inverseDepth, sums.inverseDepth),
          };
        },
      );
      return { shown };
    },
  );
}

/** The number among `faces` of what {@link nearestFace} found; how many faces there are, where there is none. */
export const faceOfPixel = (shape: RasterShape): Kernel =>
  kernel(
    'faceOfPixel',
    { domain: 'pixels', reads: { shown: u32 }, writes: { face: u32 } },
    ({ shown }, { element }) => {
      const place = placeOf(shape.layout, element);
      const isShown = andInPicture(shape.layout, place, shown.lt(noFace(shape)));
      return { face: select(isShown, shown.sub(place.camera.mul(shape.faces)), u32(shape.faces)) };
    },
  );
