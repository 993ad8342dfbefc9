import type { ObservedOutline } from '@gradsim/film';
import type { Pinhole } from './camera.ts';
import { pointAtHeight, seenFrom } from './camera.ts';
import type { FilmProblem } from './figures.ts';
import { knownNumber, knownVector } from './figures.ts';

/** Camera and gravity in the axes of an incline: x downhill, y along its normal, z across. */
export interface Slope {
  readonly camera: Pinhole;
  /** Acceleration of gravity, m/s^2. */
  readonly gravity: readonly number[];
}

export function slopeOf(known: FilmProblem['known']): Slope {
  const [normal, point] = [knownVector(known, 'inclineNormal'), knownVector(known, 'inclinePoint')];
  const [sine, cosine] = [normal[0], normal[1]];
  const axes = [[cosine, -sine, 0], normal, [0, 0, 1]];
  const gravity = knownNumber(known, 'gravity');
  return { camera: seenFrom(known.camera, axes, point), gravity: [gravity * sine, -gravity * cosine, 0] };
}

/** Number of initial frames from which the initial speed is estimated. */
const FIRST = 6;

/**
 * Initial position of an object on the incline, and its downhill speed, m/s; its centre is at `height` above the
 * surface, m.
 */
export function startOnSlope(
  { camera }: Slope,
  sightings: readonly (ObservedOutline | null)[],
  height: number,
  frameRate: number,
): { readonly x: number; readonly z: number; readonly speed: number } {
  const points = sightings
    .slice(0, FIRST)
    .flatMap((sighting, k) => (sighting ? [{ k, point: pointAtHeight(camera, sighting.x, sighting.y, height) }] : []));
  const [first, last] = [points[0], points[points.length - 1]];
  if (!first || first === last) throw new Error('The thing is not seen in the first frames.');
  const speed = ((last.point[0] - first.point[0]) / (last.k - first.k)) * frameRate;
  return { x: first.point[0], z: first.point[2], speed: Math.max(speed, 0.01) };
}
