import { median } from '@gradsim/base';
import { describeValue, GradsimError } from '@gradsim/core';
import type { Track } from '@gradsim/video';
import type { Film } from '../film.ts';
import { MASKS } from '../tuning/masks.ts';

/** Axes and scale of the plane in which something moves, as a picture shows it that faces this plane. */
export interface PlaneAxes {
  /** Pixels to a metre. */
  readonly pixelsPerMetre: number;
  /** Origin, px from the left and the upper edge of the picture. */
  readonly origin: readonly [x: number, y: number];
  /** Angle of the x axis from the picture's right, counter-clockwise, degrees. The y axis is a quarter turn further. */
  readonly angle: number;
}

/** Coordinates, m, of a place in the picture, px. */
export function onAxes(
  { pixelsPerMetre, origin, angle }: PlaneAxes,
  [px, py]: readonly [number, number],
): [number, number] {
  const [right, up] = [(px - origin[0]) / pixelsPerMetre, (origin[1] - py) / pixelsPerMetre];
  const turn = (angle * Math.PI) / 180;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  return [right * cos + up * sin, up * cos - right * sin];
}

/** Checks the axes. @throws for a scale, an origin or an angle that is no number. */
export function checkAxes({ pixelsPerMetre, origin, angle }: PlaneAxes): void {
  if (!(pixelsPerMetre > 0 && Number.isFinite(pixelsPerMetre)))
    throw new GradsimError('film/option-out-of-range', `pixelsPerMetre is ${describeValue(pixelsPerMetre)}.`, {
      field: 'pixelsPerMetre',
      hint: 'It must be a number above 0.',
    });
  if (![...origin, angle].every(Number.isFinite))
    throw new GradsimError('film/option-out-of-range', `origin is ${origin.join(', ')}, and angle ${angle}.`, {
      field: 'origin',
      hint: 'They must be numbers.',
    });
}

/**
 * Diameter of the disc of the same area as a track's outlines, and its standard error, px of the file; undefined if it is
 * seen whole in no frame.
 */
export function outlineDiameter(
  { reduction }: Pick<Film, 'reduction'>,
  { points }: Track,
): { readonly pixels: number; readonly error: number } | undefined {
  const whole = points.filter(({ blob, area }) => blob?.isWhole !== false && area !== undefined);
  if (whole.length === 0) return undefined;
  const pixels = 2 * reduction * Math.sqrt(median(whole.map(({ area }) => area!)) / Math.PI);
  const part = median(whole.map(({ areaError = 0 }) => areaError)) / 2;
  // The rim of all masks is displaced alike, on both sides.
  return { pixels, error: Math.hypot(2 * reduction * MASKS.shift, part * pixels) };
}
