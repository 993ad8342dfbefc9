import { conjugate, rotate } from '@gradsim/base';
import type { NamedValues } from '@gradsim/optim';
import { PinholeCamera } from '@gradsim/render';
import type { PlacedCamera } from './measured-camera.ts';

const numbers = (value: number | ArrayLike<number>): number[] =>
  typeof value === 'number' ? [value] : Array.from(value);

/** Focal length of a camera at values of what was measured of it, as a part of the one that was assumed. */
export function focalPart(camera: PlacedCamera, values: NamedValues): number {
  const of = camera.ties.find(({ field }) => field === PinholeCamera.focalLength)?.compute;
  return of ? numbers(of(values))[0] / (camera.values.focalLength as readonly number[])[0] : 1;
}

/**
 * Returns what turns a ray of a camera's picture, to the right and upwards at depth 1 with the focal length that was
 * assumed, into the world vector to depth 1, at values of its unknowns and of what was measured of it.
 */
export function rayOutwards(camera: PlacedCamera, values: NamedValues): (ray: readonly number[]) => readonly number[] {
  const of = camera.ties.find(({ field }) => field === PinholeCamera.rotation)?.compute;
  const [x, y, z, w] = of ? numbers(of(values)) : (camera.values.rotation as readonly number[]);
  const part = focalPart(camera, values);
  return ([across, up]) => rotate(conjugate([x, y, z, w]), [across / part, -up / part, 1]);
}
