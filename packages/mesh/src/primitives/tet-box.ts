import { refuseUnknownOptions } from '@gradsim/base';
import type { TetMesh } from '../mesh.ts';
import { checkCount, checkElementCount, checkLengths, checkList } from './dimensions.ts';

// A cell of eight corners (bit 0 is x, bit 1 y, bit 2 z) in five tetrahedra: four at corners, one in the middle. Cells
// with an odd sum of indices are mirrored, so that the diagonals of neighbours coincide.
const EVEN_CELL = [
  [0, 1, 2, 4],
  [3, 2, 1, 7],
  [5, 1, 4, 7],
  [6, 4, 2, 7],
  [1, 2, 4, 7],
] as const;
const mirrorCell = (corner: number): number => corner ^ 1;
const ODD_CELL = EVEN_CELL.map(([a, b, c, d]) => [a, c, b, d].map(mirrorCell));

/**
 * A box about the origin, filled with cells of five tetrahedra each; vertices are numbered along x, then y, then z.
 *
 * @example
 * const beam = tetBox({ size: [1, 0.2, 0.2], cells: [10, 2, 2] });
 */
export function tetBox({
  size = [1, 1, 1],
  cells = [1, 1, 1],
  ...others
}: {
  size?: readonly [number, number, number];
  cells?: readonly [number, number, number];
} = {}): TetMesh {
  refuseUnknownOptions('tetBox', others, { size: true, cells: true });
  checkList('tetBox', 'size', size, 3);
  checkList('tetBox', 'cells', cells, 3);
  checkLengths('tetBox', { 'size x': size[0], 'size y': size[1], 'size z': size[2] });
  cells.forEach((count, axis) => {
    checkCount('tetBox', `cells along ${'xyz'[axis]}`, count, 1);
  });
  const [nx, ny, nz] = cells;
  checkElementCount('tetBox', 'tetrahedra', 5 * nx * ny * nz);
  const positions: number[] = [];
  for (let z = 0; z <= nz; z++)
    for (let y = 0; y <= ny; y++)
      for (let x = 0; x <= nx; x++)
        positions.push((x / nx - 0.5) * size[0], (y / ny - 0.5) * size[1], (z / nz - 0.5) * size[2]);
  const tets: number[] = [];
  const point = (x: number, y: number, z: number): number => x + (nx + 1) * (y + (ny + 1) * z);
  for (let z = 0; z < nz; z++)
    for (let y = 0; y < ny; y++)
      for (let x = 0; x < nx; x++)
        for (const tet of (x + y + z) % 2 === 0 ? EVEN_CELL : ODD_CELL)
          for (const corner of tet)
            tets.push(point(x + (corner & 1), y + ((corner >> 1) & 1), z + ((corner >> 2) & 1)));
  return { name: 'tetBox', positions: Float64Array.from(positions), tets: Uint32Array.from(tets) };
}
