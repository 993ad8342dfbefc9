import type { Kernel } from '@gradsim/core';
import { f32, forRange, kernel, on, select, u32 } from '@gradsim/core';
import { placeOf, TILE_PIXELS } from '@gradsim/render';
import type { RasterShape } from '@gradsim/render/raster';
import { COVERING_FACES, overCoveringFaces } from '@gradsim/render/raster';
import type { DibrSettings } from './options.ts';

/** What `shown` is where no face covers a pixel: a number that none of `viewFaces` has. */
export const noFace = ({ layout, faces }: RasterShape): number => layout.cameras * faces;

/**
 * The nearest face that covers each pixel, as its number among `viewFaces`. It is a whole number: derivatives hold
 * visibility. Source: DIB-R (Chen et al. 2019), as PHYSICS.md fixes it.
 */
export function nearestFace(shape: RasterShape, { near, far }: DibrSettings): Kernel {
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
        (face, { triangle, barycentric }, sums): typeof start => {
          const [a, b, c] = barycentric.w.map((w, k) => w.mul(triangle.screen.at(k, 2)));
          const inverseDepth = a.add(b).add(c);
          const isNearest = barycentric.inside
            .and(inverseDepth.gt(sums.inverseDepth))
            .and(inverseDepth.le(1 / near));
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

/** Whether any pixel of a tile shows no face: elsewhere silhouettes need not be looked at. */
export function openTiles(shape: RasterShape): Kernel {
  return kernel(
    'openTiles',
    { domain: 'tiles', reads: { shown: on('pixels', u32) }, writes: { isOpen: u32 } },
    ({ shown }, { element }) => ({
      isOpen: forRange(0, TILE_PIXELS, u32(0), (k, found) =>
        select(shown.at(element.mul(TILE_PIXELS).add(k)).eq(noFace(shape)), u32(1), found),
      ),
    }),
  );
}
