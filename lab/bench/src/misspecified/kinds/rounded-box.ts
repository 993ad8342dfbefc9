import type { TriangleMesh } from '@gradsim/mesh';
import { icosphere } from '@gradsim/mesh';

/** Exponent p of the surface |x|^p + |y|^p + |z|^p = 1 of the rounded box. */
const POWER = 4;

/**
 * A superellipsoid, a box with round edges. At the outline of a box with sharp edges the soft rasteriser jumps between
 * the colours of two faces, a step of a few pixels that dominates the errors of small films.
 */
export function roundedBox(size: readonly [number, number, number]): TriangleMesh {
  const ball = icosphere({ radius: 1, subdivisions: 2 });
  const positions = Float64Array.from(ball.positions);
  for (let k = 0; k < positions.length; k += 3) {
    const power = [0, 1, 2].reduce((sum, axis) => sum + Math.abs(positions[k + axis]) ** POWER, 0);
    for (const axis of [0, 1, 2]) positions[k + axis] *= power ** (-1 / POWER) * (size[axis] / 2);
  }
  return { ...ball, positions };
}
