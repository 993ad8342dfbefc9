import { refuseUnknownOptions } from '@gradsim/base';
import type { TriangleMesh } from '../mesh.ts';
import { checkLengths, checkList } from './dimensions.ts';

/**
 * A box about the origin with edge lengths `size` (m), of 8 vertices and 12 triangles.
 *
 * @example
 * const brick = box({ size: [0.2, 0.06, 0.1] });
 */
export function box({ size = [1, 1, 1], ...others }: { size?: readonly [number, number, number] } = {}): TriangleMesh {
  refuseUnknownOptions('box', others, { size: true });
  checkList('box', 'size', size, 3);
  const [x, y, z] = size;
  checkLengths('box', { 'size x': x, 'size y': y, 'size z': z });
  // Vertex number: bit 0 is +x, bit 1 is +y, bit 2 is +z.
  const positions = Float64Array.from({ length: 24 }, (_, i) => {
    const axis = i % 3;
    return (((Math.floor(i / 3) >> axis) & 1) - 0.5) * size[axis];
  });
  const quads = [
    [0, 4, 6, 2], // -x
    [1, 3, 7, 5], // +x
    [0, 1, 5, 4], // -y
    [2, 6, 7, 3], // +y
    [0, 2, 3, 1], // -z
    [4, 5, 7, 6], // +z
  ];
  const triangles = Uint32Array.from(quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]));
  return { name: 'box', positions, triangles };
}
