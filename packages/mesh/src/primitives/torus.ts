import { GradsimError, refuseUnknownOptions } from '@gradsim/base';
import type { TriangleMesh } from '../mesh.ts';
import { checkCount, checkElementCount, checkLengths } from './dimensions.ts';

/**
 * A torus about the y axis: a circle of radius `tube` swept along a circle of radius `radius`, m.
 *
 * @example
 * const ring = torus({ radius: 0.1, tube: 0.03 });
 *
 * @throws GradsimError when the tube is as wide as the ring, so that it would meet itself.
 */
export function torus({ radius = 1, tube = 0.25, segments = 32, sides = 16, ...others } = {}): TriangleMesh {
  refuseUnknownOptions('torus', others, { radius: true, tube: true, segments: true, sides: true });
  checkLengths('torus', { radius, tube });
  checkCount('torus', 'segments', segments, 3);
  checkCount('torus', 'sides', sides, 3);
  checkElementCount('torus', 'triangles', 2 * segments * sides);
  if (tube >= radius)
    throw new GradsimError(
      'mesh/option-out-of-range',
      `torus: tube (${tube}) must be smaller than radius (${radius}).`,
    );
  const positions: number[] = [];
  const triangles: number[] = [];
  const at = (k: number, j: number) => (k % segments) * sides + (j % sides);
  for (let k = 0; k < segments; k++) {
    for (let j = 0; j < sides; j++) {
      const [around, across] = [(2 * Math.PI * k) / segments, (2 * Math.PI * j) / sides];
      const r = radius + tube * Math.cos(across);
      positions.push(r * Math.cos(around), tube * Math.sin(across), r * Math.sin(around));
      triangles.push(at(k, j), at(k, j + 1), at(k + 1, j));
      triangles.push(at(k + 1, j), at(k, j + 1), at(k + 1, j + 1));
    }
  }
  return { name: 'torus', positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) };
}
