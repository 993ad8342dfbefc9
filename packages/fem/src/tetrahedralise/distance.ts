import type { NearestPoint } from './closest.ts';

/** A surface of triangles. */
interface Surface {
  readonly positions: ArrayLike<number>;
  readonly triangles: ArrayLike<number>;
}

/** The greatest distance found, and where on the first surface. */
export interface Deviation {
  readonly distance: number;
  readonly point: readonly number[];
}

/**
 * The greatest distance of points of one surface from another, among the corners and a grid on each triangle whose
 * points are at most `spacing` apart. What lies between them deviates by at most half of that spacing more.
 */
export function greatestDistance(from: Surface, to: NearestPoint, spacing: number): Deviation {
  let worst: Deviation = { distance: 0, point: [0, 0, 0] };
  const { positions, triangles } = from;
  const corner = (k: number): number[] => [0, 1, 2].map((axis) => positions[3 * triangles[k] + axis]);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [corner(t), corner(t + 1), corner(t + 2)];
    const length = (p: number[], q: number[]): number => Math.hypot(...p.map((x, axis) => x - q[axis]));
    const steps = Math.ceil(Math.max(length(a, b), length(b, c), length(c, a)) / spacing);
    for (let i = 0; i <= steps; i++) {
      for (let j = 0; j <= steps - i; j++) {
        const [v, w] = [i / steps, j / steps];
        const point = a.map((x, axis) => x + v * (b[axis] - x) + w * (c[axis] - x));
        const { distance } = to.to(point);
        if (distance > worst.distance) worst = { distance, point };
      }
    }
  }
  return worst;
}
