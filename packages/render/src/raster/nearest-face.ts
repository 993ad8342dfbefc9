import type { Kernel } from '@gradsim/core';
import { f32, kernel, select, u32 } from '@gradsim/core';
import { placeOf, restrictToPicture } from '../pixels.ts';
import type { RendererOptions } from './drawing.ts';
import { COVERING_FACES, overCoveringFaces } from './pixel-faces.ts';
import type { RasterShape } from './shape.ts';
import { mayContribute } from './triangle.ts';

/**
 * Distance outside of an edge up to which a pixel counts as covered, in device coordinates: otherwise rounding might
 * leave a pixel on the edge between two faces covered by neither.
 */
const ON_EDGE = 1e-7;

/** Value of `shown` at a pixel that no face covers: the size of the domain `viewFaces`. */
export const noFace = ({ layout, faces }: RasterShape): number => layout.cameras * faces;

/**
 * Kernel that finds the nearest face covering each pixel, and writes its index in `viewFaces` to `shown`; the face
 * passes must have been added with `covering`. Since `shown` is an integer, derivatives treat visibility as constant.
 * Source: DIB-R (Chen et al. 2019), as specified in PHYSICS.md.
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
          const [a, b, c] = barycentric.w.map((w, k) => w.mul(triangle.screen.entry(k, 2)));
          const inverseDepth = a.add(b).add(c);
          const covers = mayContribute(heights, ON_EDGE).and(triangle.spans.entry(0, 2).ne(0));
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

/**
 * Kernel that converts `shown`, an index in `viewFaces`, to the index in `faces`; the number of faces if none is shown.
 */
export const faceOfPixel = (shape: RasterShape): Kernel =>
  kernel(
    'faceOfPixel',
    { domain: 'pixels', reads: { shown: u32 }, writes: { face: u32 } },
    ({ shown }, { element }) => {
      const place = placeOf(shape.layout, element);
      const isShown = restrictToPicture(shape.layout, place, shown.lt(noFace(shape)));
      return { face: select(isShown, shown.sub(place.camera.mul(shape.faces)), u32(shape.faces)) };
    },
  );
