import type { Pose } from './shot.ts';
import type { Vector } from './vectors.ts';
import { add, rotate } from './vectors.ts';

const SIGNS = [-1, 1];

/** The corners of a box at a pose. */
export const cornersOf = (halfSizes: Vector, { position, orientation }: Pose): Vector[] =>
  SIGNS.flatMap((x) =>
    SIGNS.flatMap((y) =>
      SIGNS.map((z) => add(position, rotate(orientation, [x * halfSizes[0], y * halfSizes[1], z * halfSizes[2]]))),
    ),
  );

/** The corners of the cube that encloses a ball. */
export const around = (position: Vector, radius: number): Vector[] =>
  cornersOf([radius, radius, radius], { position, orientation: [0, 0, 0, 1] });
