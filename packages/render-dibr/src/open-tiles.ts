import type { Kernel } from '@gradsim/core';
import { fieldOn, forRange, kernel, select, u32 } from '@gradsim/core';
import { TILE_PIXELS } from '@gradsim/render';
import type { RasterShape } from '@gradsim/render/raster';
import { noFace } from '@gradsim/render/raster';

/** Kernel that marks tiles in which some pixel shows no face: only in these the openness of pixels is computed. */
export function markOpenTiles(shape: RasterShape): Kernel {
  return kernel(
    'openTiles',
    { domain: 'tiles', reads: { shown: fieldOn('pixels', u32) }, writes: { isOpen: u32 } },
    ({ shown }, { element }) => ({
      isOpen: forRange(0, TILE_PIXELS, u32(0), (k, found) =>
        select(shown.at(element.mul(TILE_PIXELS).add(k)).eq(noFace(shape)), u32(1), found),
      ),
    }),
  );
}
