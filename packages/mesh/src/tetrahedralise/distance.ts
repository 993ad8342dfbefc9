import type { NearestPoint } from '../distance/nearest-point.ts';
import { cornersOf } from '../elements.ts';
import { longestEdge } from '../measures.ts';
import { type TriangleMesh, triangleCount } from '../mesh.ts';

/** Largest distance found, and its place on the first surface. */
export interface Deviation {
  readonly distance: number;
  readonly point: readonly number[];
}

/**
 * Returns the largest distance of one surface from another, sampled at corners and on a grid in each triangle with at
 * most `spacing`. Points between samples deviate by at most half of that spacing more.
 */
export function greatestDistance(from: TriangleMesh, to: NearestPoint, spacing: number): Deviation {
  let worst: Deviation = { distance: 0, point: [0, 0, 0] };
  for (let t = 0; t < triangleCount(from); t++) {
    const [a, b, c] = cornersOf(from, t);
    const steps = Math.ceil(longestEdge([a, b, c]) / spacing);
    for (let i = 0; i <= steps; i++) {
      for (let j = 0; j <= steps - i; j++) {
        const [v, w] = [i / steps, j / steps];
        const point: number[] = a.map((x, axis) => x + v * (b[axis] - x) + w * (c[axis] - x));
        if (to.isWithin(point, worst.distance)) continue;
        const { distance } = to.to(point);
        if (distance > worst.distance) worst = { distance, point };
      }
    }
  }
  return worst;
}
