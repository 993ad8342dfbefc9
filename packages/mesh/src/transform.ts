import { describeValue, GradsimError, refuseUnknownOptions } from '@gradsim/base';
import { elementsOf } from './elements.ts';
import type { Mesh } from './mesh.ts';

/** Transformation of a mesh: scale, then rotation, then translation. */
export interface Placement {
  /** Scale factors along x, y, z, not 0. Default [1, 1, 1]. */
  scale?: readonly [number, number, number];
  /** Rotation as a unit quaternion (x, y, z, w). Default: the identity. */
  rotation?: readonly [number, number, number, number];
  /** Translation in metres. Default [0, 0, 0]. */
  translation?: readonly [number, number, number];
}

/**
 * Returns a transformed copy of a mesh of any kind. A mirroring scale (an odd number of negative factors) also reverses
 * the vertex order of triangles and tetrahedra, so that they keep facing outwards.
 *
 * @throws GradsimError for numbers that are missing or not finite, a factor of 0, a quaternion that is not of unit
 * length.
 *
 * @example
 * const raised = placeMesh(box({ size: [1, 1, 1] }), { translation: [0, 2, 0] });
 */
export function placeMesh<M extends Mesh>(mesh: M, placement: Placement): M {
  const { scale = [1, 1, 1], rotation = [0, 0, 0, 1], translation = [0, 0, 0], ...others } = placement;
  refuseUnknownOptions('placeMesh', others, { scale: true, rotation: true, translation: true });
  checkPlacement({ scale, rotation, translation });
  const [qx, qy, qz, qw] = rotation;
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

function checkPlacement({ scale, rotation, translation }: Required<Placement>): void {
  const numbers = (what: string, values: unknown, count: number): void => {
    const list = Array.isArray(values) || ArrayBuffer.isView(values) ? Array.from(values as ArrayLike<number>) : [];
    if (list.length !== count || !list.every(Number.isFinite))
      throw new GradsimError(
        'mesh/option-out-of-range',
        `placeMesh: ${what} is ${describeValue(values)}, but must be ${count} finite numbers.`,
      );
  };
  numbers('scale', scale, 3);
  numbers('rotation', rotation, 4);
  numbers('translation', translation, 3);
  if (scale.includes(0))
    throw new GradsimError(
      'mesh/option-out-of-range',
      `placeMesh: scale is [${scale.join(', ')}]; a factor of 0 would leave nothing of a mesh.`,
      { field: 'scale' },
    );
  const length = Math.hypot(...rotation);
  if (Math.abs(length - 1) > 1e-6)
    throw new GradsimError(
      'mesh/not-a-rotation',
      `placeMesh: rotation [${rotation.join(', ')}] has the length ${length}; a rotation is a quaternion of length 1.`,
    );
}

/** Returns a copy whose triangles face the other way, or whose tetrahedra have volumes of the opposite sign. */
export function flipMesh<M extends Mesh>(mesh: M): M {
  const { key, size, vertices } = elementsOf(mesh);
  const flipped = vertices.slice();
  for (let i = 0; i < flipped.length; i += size) {
    [flipped[i + size - 2], flipped[i + size - 1]] = [flipped[i + size - 1], flipped[i + size - 2]];
  }
  if (!('triangles' in mesh) || !mesh.uvs) return { ...mesh, [key]: flipped };
  // Texture coordinates follow their corners: the second and the third one are swapped.
  const uvs = Float64Array.from(mesh.uvs);
  for (let i = 0; i < uvs.length; i += 6)
    uvs.copyWithin(i + 2, i + 4, i + 6).set([mesh.uvs[i + 2], mesh.uvs[i + 3]], i + 4);
  return { ...mesh, [key]: flipped, uvs };
}
