import { contours } from 'd3-contour';
import { type Frames, valuesInRegion } from '../frames/frames.ts';
import type { Region } from '../frames/region.ts';

/**
 * Returns the contours at which the mask of a frame is one half, by marching squares: closed lines, also around holes,
 * of points [x, y] in pixels from the upper left corner of the picture.
 *
 * @param within region of the picture to search, such as the bounds of a blob. Default all of it.
 *
 * @example
 * const [line] = outlinesOf(masks, 12);
 */
export function outlinesOf(masks: Frames, frame: number, within?: Region): [number, number][][] {
  const region = within ?? { x: 0, y: 0, width: masks.width, height: masks.height };
  const { x, y, width, height } = region;
  const mask = valuesInRegion(masks, frame, region);
  // A border of zeros closes outlines at the picture's border.
  const [across, down] = [width + 2, height + 2];
  const values = Array.from({ length: across * down }, (_, k) => {
    const [u, v] = [(k % across) - 1, Math.floor(k / across) - 1];
    return u < 0 || v < 0 || u >= width || v >= height ? 0 : mask[v * width + u];
  });
  const [{ coordinates }] = contours().size([across, down]).thresholds([0.5])(values);
  return coordinates.flat().map((line) => line.map(([u, v]) => [u - 1 + x, v - 1 + y]));
}
