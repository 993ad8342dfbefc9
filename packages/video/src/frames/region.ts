import { GradsimError } from '@gradsim/base';

/** A rectangle of whole pixels of the upright picture; (0, 0) is top left. */
export interface Region {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * Checks that a region is whole pixels inside the picture.
 *
 * @throws GradsimError with the region and the size of the picture when it is not.
 */
export function checkRegion(region: Region, width: number, height: number, label: string): void {
  const { x, y, width: w, height: h } = region;
  const whole = [x, y, w, h].every(Number.isInteger);
  if (!whole || x < 0 || y < 0 || w < 1 || h < 1 || x + w > width || y + h > height) {
    throw new GradsimError(
      'video/region-outside',
      `${label}: the crop of ${w} x ${h} pixels at (${x}, ${y}) is not a part, in whole pixels, of the upright picture of ${width} x ${height}.`,
    );
  }
}
