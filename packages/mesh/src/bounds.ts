import { elementsOf } from './elements.ts';
import type { Mesh } from './mesh.ts';

/** Axis-aligned bounding box, m. */
export interface Bounds {
  /** Minimum x, y, z, m. */
  readonly low: readonly [number, number, number];
  /** Maximum x, y, z, m. */
  readonly high: readonly [number, number, number];
}

/**
 * Returns the axis-aligned bounding box of a mesh's elements; vertices that belong to no element do not count.
 *
 * @example
 * const { low, high } = boundsOf(icosphere({ radius: 2 })); // about [-2, -2, -2] and [2, 2, 2]
 */
export function boundsOf(mesh: Mesh): Bounds {
  const low: [number, number, number] = [Infinity, Infinity, Infinity];
  const high: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (const vertex of elementsOf(mesh).vertices) {
    for (let axis = 0; axis < 3; axis++) {
      const x = mesh.positions[3 * vertex + axis];
      low[axis] = Math.min(low[axis], x);
      high[axis] = Math.max(high[axis], x);
    }
  }
  return { low, high };
}
