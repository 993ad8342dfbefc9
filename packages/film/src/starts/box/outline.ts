import { rotate } from '@gradsim/base';
import { hullOf } from '../../outlines/hull.ts';
import type { ObservedOutline } from '../../outlines/observed.ts';
import { middleOf, reachesOf } from '../../outlines/reach.ts';
import type { BoxState } from './turning.ts';

const AXES = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
] as const;

/** Corners of a box of size 1. */
const CORNERS = [-0.5, 0.5].flatMap((x) => [-0.5, 0.5].flatMap((y) => [-0.5, 0.5].map((z) => [x, y, z])));

/**
 * Outline of a box in a picture.
 *
 * @param size size of the box along its axes, m.
 * @param project pixels of a point of the world, m.
 */
export function boxOutline(
  size: readonly number[],
  { position, orientation }: Pick<BoxState, 'position' | 'orientation'>,
  project: (point: readonly number[]) => readonly [number, number],
): Required<Pick<ObservedOutline, 'x' | 'y' | 'size' | 'reaches'>> {
  const x = rotate(orientation, AXES[0]);
  const y = rotate(orientation, AXES[1]);
  const z = rotate(orientation, AXES[2]);
  const corners = CORNERS.map((corner) => {
    const a = corner[0] * size[0];
    const b = corner[1] * size[1];
    const c = corner[2] * size[2];
    return project([
      position[0] + a * x[0] + b * y[0] + c * z[0],
      position[1] + a * x[1] + b * y[1] + c * z[1],
      position[2] + a * x[2] + b * y[2] + c * z[2],
    ]);
  });
  const line = hullOf(corners);
  const middle = middleOf(line);
  return { ...middle, reaches: reachesOf([line], middle.x, middle.y) };
}
