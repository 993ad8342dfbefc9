import type { NearestPoint } from '../distance/nearest-point.ts';
import { cornersOf } from '../elements.ts';
import { longestEdge } from '../measures.ts';
import { type TriangleMesh, triangleCount } from '../mesh.ts';

/** Largest distance of one surface from another, m, and the point of the first at which it occurs. */
export interface Deviation {
  readonly distance: number;
  readonly point: readonly number[];
}

/**
 * Returns the largest distance of surface `from` to surface `to`, at sample points: the nodes of a grid in each
 * triangle with a spacing of at most `spacing` (m). Points in between deviate by at most half of that spacing more.
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
        const { distance } = to.nearestTo(point);
        if (distance > worst.distance) worst = { distance, point };
      }
    }
  }
  return worst;
}
