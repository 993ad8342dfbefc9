import { elementsOf } from './elements.ts';
import type { Mesh } from './mesh.ts';

/** A box along the axes, m. */
export interface Bounds {
  /** Minimum x, y, z. */
  readonly low: readonly [number, number, number];
  /** Maximum x, y, z. */
  readonly high: readonly [number, number, number];
}

/**
 * The box around the elements of a mesh; vertices that no element has do not count.
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
