import { upperMedian } from '@gradsim/base';
import { GradsimError } from '@gradsim/core';
import type { TrackPoint } from '@gradsim/video';
import type { FilmCamera } from '../../film-camera.ts';
import type { V3 } from '../path.ts';

/**
 * Vertical plane that faces the camera at the depth of the ball, with coordinates in m, horizontally across it and
 * upwards.
 */
export function facing(points: readonly TrackPoint[], camera: FilmCamera, radius: number) {
  const origin = camera.axes([0, 0, 0]);
  const columns = [0, 1, 2].map((k) => camera.axes([0, 1, 2].map((i) => Number(i === k))).map((c, i) => c - origin[i]));
  const world = (inCamera: readonly number[]): number[] =>
    columns.map((column) => column.reduce((sum, c, i) => sum + c * inCamera[i], 0));
  const ahead = world([0, 0, 1]);
  const level = Math.hypot(ahead[0], ahead[2]);
  if (!(level > 1e-3))
    throw new GradsimError(
      'film/camera-along-plumb',
      'The camera looks straight up or down, where no vertical plane faces it.',
    );
  const forward = [ahead[0] / level, 0, ahead[2] / level];
  const across = [-forward[2], 0, forward[0]];
  // Pixels to a unit of the tangent.
  const [here, there] = [camera.pixel(0, 0), camera.pixel(1e-4, 0)];
  const focal = Math.abs(there[0] - here[0]) / 1e-4;
  const depths = points.map(({ area }) => (focal * radius) / Math.sqrt(area! / Math.PI));
  const depth = upperMedian(depths) * level;
  return {
    turn: Math.atan2(-across[2], across[0]),
    /** Intersection of a point's line of sight with the plane, m: across and upwards. */
    at: ({ x, y }: TrackPoint): [number, number] => {
      const [u, v] = camera.ray(x, y);
      const way = world([u, v, 1]);
      const far = depth / (way[0] * forward[0] + way[2] * forward[2]);
      return [far * (way[0] * across[0] + way[2] * across[2]), camera.position[1] + far * way[1]];
    },
    place: (s: number, h: number): V3 => [
      camera.position[0] + depth * forward[0] + s * across[0],
      h,
      camera.position[2] + depth * forward[2] + s * across[2],
    ],
  };
}
