import { linearLeastSquares } from '@gradsim/base';
import type { TrackPoint } from '@gradsim/video';
import type { FilmCamera } from '../film-camera.ts';
import type { V3 } from './path.ts';

/** A position that depends linearly on unknowns: `constantPart` + sum over k of unknown k times `derivatives[k]`, m. */
export interface LinearPlace {
  readonly constantPart: V3;
  readonly derivatives: readonly V3[];
}

/**
 * Values of the unknowns for which positions match points observed in a picture, by linear least squares. A point of
 * the picture is a line of sight: in the camera's axes (X, Y, Z) the position satisfies X = a Z and Y = b Z. Distant
 * positions count more, which hardly matters along one track.
 *
 * @returns undefined if they are not determined.
 */
export function unknownsInSight(
  points: readonly TrackPoint[],
  camera: FilmCamera,
  placeAt: (time: number) => LinearPlace,
): number[] | undefined {
  const origin = camera.axes([0, 0, 0]);
  const direction = (v: V3): number[] => camera.axes(v).map((c, k) => c - origin[k]);
  const rows: number[][] = [];
  const sums: number[] = [];
  for (const { x, y, time } of points) {
    const [across, up] = camera.ray(x, y);
    const { constantPart, derivatives } = placeAt(time);
    const here = camera.axes(constantPart);
    const turned = derivatives.map(direction);
    for (const [axis, part] of [
      [0, across],
      [1, up],
    ] as const) {
      rows.push(turned.map((v) => v[axis] - part * v[2]));
      sums.push(part * here[2] - here[axis]);
    }
  }
  return linearLeastSquares(rows, sums);
}
