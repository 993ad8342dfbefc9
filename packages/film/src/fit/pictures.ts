import { describeValue, GradsimError } from '@gradsim/core';
import type { Frames, Size } from '@gradsim/video';
import { frameCount, pictureInRegion, toLinear } from '@gradsim/video';
import type { Film } from '../film.ts';

/** Rectangular part of a picture, px: columns from `left`, rows from `top`. */
export interface CropRegion extends Size {
  readonly left: number;
  readonly top: number;
}

/** Rectangular part of a picture and of its background, in linear light, three channels each. */
export interface Pictures {
  readonly light: Float64Array;
  readonly backgroundLight: Float64Array;
  readonly cut: CropRegion;
}

/** Rectangular part of the picture around some points, with a margin, px, clipped to the picture. */
export function cutAround(points: readonly (readonly number[])[], margin: number, { width, height }: Size): CropRegion {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const within = (value: number, most: number): number => Math.min(Math.max(Math.round(value), 0), most);
  const [left, top] = [within(Math.min(...xs) - margin, width - 1), within(Math.min(...ys) - margin, height - 1)];
  return {
    left,
    top,
    width: within(Math.max(...xs) + margin, width) - left,
    height: within(Math.max(...ys) + margin, height) - top,
  };
}

/**
 * @throws if a camera is for pictures of another size than the film's, or data for more frames are given than the film
 * has.
 */
export function refuseOtherFilm(label: string, { frames }: Pick<Film, 'frames'>, camera: Size, count: number): void {
  const { width, height } = frames;
  if (width !== camera.width || height !== camera.height)
    throw new GradsimError(
      'film/other-shape',
      `${label}: the film has pictures of ${width} x ${height}, and the camera of ${camera.width} x ${camera.height}.`,
      { hint: 'Make it by filmCamera(kind, values, film.size).' },
    );
  if (count > frameCount(frames))
    throw new GradsimError(
      'film/wrong-size',
      `${label} is told of ${count} frames; the film has ${frameCount(frames)}.`,
    );
}

/** Rectangular part of a frame and of the film's background, in linear light. */
export const picturesIn = (
  { frames, background }: Pick<Film, 'frames' | 'background'>,
  frame: number,
  cut: CropRegion,
): Pictures => ({ light: lightIn(frames, frame, cut), backgroundLight: lightIn(background, 0, cut), cut });

/** Linear light of a rectangular part of a frame, three channels per pixel. */
export function lightIn(frames: Frames, frame: number, { left: x, top: y, width, height }: CropRegion): Float64Array {
  // One transfer curve for film and background: an encoder's note on it does not tell the camera's.
  return new Float64Array(toLinear(pictureInRegion(frames, frame, { x, y, width, height }), 'srgb').data);
}

/** @throws for a given shutter outside [0, 1]. */
export function refuseShutterOutOfRange(label: string, shutter: number | undefined): void {
  if (shutter !== undefined && !(shutter >= 0 && shutter <= 1))
    throw new GradsimError('film/option-out-of-range', `${label}: shutter is ${describeValue(shutter)}.`, {
      hint: 'Give the part of a frame that it was open, 0 to 1.',
    });
}
