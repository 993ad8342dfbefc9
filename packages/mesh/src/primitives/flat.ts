import { refuseUnknownOptions } from '@gradsim/base';
import type { TriangleMesh } from '../mesh.ts';
import { checkCount, checkElementCount, checkLengths, checkList } from './dimensions.ts';

/**
 * A rectangle about the origin in the plane y = 0 that faces up; `size` is along x and z, m. It is a sheet, not a
 * solid.
 *
 * @example
 * const floor = plane({ size: [4, 4], segments: [8, 8] });
 */
export function plane({
  size = [1, 1],
  segments = [1, 1],
  ...others
}: {
  size?: readonly [number, number];
  segments?: readonly [number, number];
} = {}): TriangleMesh {
  refuseUnknownOptions('plane', others, { size: true, segments: true });
  checkList('plane', 'size', size, 2);
  checkList('plane', 'segments', segments, 2);
  checkLengths('plane', { 'size x': size[0], 'size z': size[1] });
  checkCount('plane', 'segments along x', segments[0], 1);
  checkCount('plane', 'segments along z', segments[1], 1);
  checkElementCount('plane', 'triangles', 2 * segments[0] * segments[1]);
  const [nx, nz] = segments;
  const positions: number[] = [];
  const triangles: number[] = [];
  const at = (i: number, k: number) => k * (nx + 1) + i;
  for (let k = 0; k <= nz; k++) {
    for (let i = 0; i <= nx; i++) positions.push((i / nx - 0.5) * size[0], 0, (k / nz - 0.5) * size[1]);
  }
  for (let k = 0; k < nz; k++) {
    for (let i = 0; i < nx; i++) {
      triangles.push(at(i, k), at(i, k + 1), at(i + 1, k));
      triangles.push(at(i + 1, k), at(i, k + 1), at(i + 1, k + 1));
    }
  }
  return { name: 'plane', positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) };
}

/** A regular tetrahedron about the origin, with its four vertices on a sphere of the given radius, m. */
export function tetrahedron({ radius = 1, ...others } = {}): TriangleMesh {
  refuseUnknownOptions('tetrahedron', others, { radius: true });
  checkLengths('tetrahedron', { radius });
  const a = radius / Math.sqrt(3);
  return {
    name: 'tetrahedron',
    positions: Float64Array.of(a, a, a, -a, -a, a, -a, a, -a, a, -a, -a),
    triangles: Uint32Array.of(0, 1, 3, 0, 2, 1, 0, 3, 2, 1, 2, 3),
  };
}
