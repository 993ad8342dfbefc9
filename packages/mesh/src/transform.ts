import { elementsOf } from './elements.ts';
import type { Mesh } from './mesh.ts';

/** A placement: first scaled, then rotated, then moved. */
export interface Placement {
  /** Factor along x, y, z. Default [1, 1, 1]. */
  scale?: readonly [number, number, number];
  /** Unit quaternion (x, y, z, w). Default none. */
  rotation?: readonly [number, number, number, number];
  /** In metres. Default [0, 0, 0]. */
  translation?: readonly [number, number, number];
}

/**
 * A copy of a mesh of any kind at another place. A mirroring scale (an odd number of negative factors) also reverses
 * triangles and tetrahedra, so that they keep facing outwards.
 *
 * @example
 * const raised = placeMesh(box({ size: [1, 1, 1] }), { translation: [0, 2, 0] });
 */
export function placeMesh<M extends Mesh>(mesh: M, placement: Placement): M {
  const { scale = [1, 1, 1], rotation: [qx, qy, qz, qw] = [0, 0, 0, 1], translation = [0, 0, 0] } = placement;
  const positions = new Float64Array(mesh.positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    const [x, y, z] = [0, 1, 2].map((axis) => mesh.positions[i + axis] * scale[axis]);
    // q p q* = p + 2 w (u x p) + 2 u x (u x p), with u the vector part
    const [tx, ty, tz] = [2 * (qy * z - qz * y), 2 * (qz * x - qx * z), 2 * (qx * y - qy * x)];
    positions[i] = x + qw * tx + qy * tz - qz * ty + translation[0];
    positions[i + 1] = y + qw * ty + qz * tx - qx * tz + translation[1];
    positions[i + 2] = z + qw * tz + qx * ty - qy * tx + translation[2];
  }
  const moved = { ...mesh, positions };
  return scale[0] * scale[1] * scale[2] < 0 ? flipMesh(moved) : moved;
}

/** A copy whose triangles face the other way, or whose tetrahedra have a volume of the other sign. */
export function flipMesh<M extends Mesh>(mesh: M): M {
  const { key, size, vertices } = elementsOf(mesh);
  const flipped = vertices.slice();
  for (let i = 0; i < flipped.length; i += size) {
    [flipped[i + size - 2], flipped[i + size - 1]] = [flipped[i + size - 1], flipped[i + size - 2]];
  }
  return { ...mesh, [key]: flipped };
}
