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
  const [x, y, z] = AXES.map((axis) => rotate(orientation, axis));
  const [a, b, c] = size;
  const corners = CORNERS.map(([i, j, k]) =>
    project([
      position[0] + i * a * x[0] + j * b * y[0] + k * c * z[0],
      position[1] + i * a * x[1] + j * b * y[1] + k * c * z[1],
      position[2] + i * a * x[2] + j * b * y[2] + k * c * z[2],
    ]),
  );
  const line = hullOf(corners);
  const middle = middleOf(line);
  return { ...middle, reaches: reachesOf([line], middle.x, middle.y) };
}
