/** A tetrahedral mesh: points, x, y, z each, and four vertices an element, of positive volume. */
export interface TetMesh {
  readonly positions: ArrayLike<number>;
  readonly tets: ArrayLike<number>;
}

// A cell of eight corners (bit 0 is x, bit 1 y, bit 2 z) in five tetrahedra: four at corners, one in the middle. Cells
// whose numbers add up to an odd one take the mirror image, so that the diagonals of neighbours meet.
const EVEN = [
  [0, 1, 2, 4],
  [3, 2, 1, 7],
  [5, 1, 4, 7],
  [6, 4, 2, 7],
  [1, 2, 4, 7],
] as const;
const mirrored = (corner: number): number => corner ^ 1;
const ODD = EVEN.map(([a, b, c, d]) => [a, c, b, d].map(mirrored));

/**
 * A box of cells, each of five tetrahedra, numbered along x, then y, then z.
 *
 * ```ts
 * const beam = tetGrid({ cells: [10, 2, 2], size: [1, 0.2, 0.2] });
 * ```
 * @throws when a number of cells is no whole number of at least 1, or a size is not above 0.
 */
export function tetGrid(options: {
  cells: readonly [number, number, number];
  /** Of the whole box, m. */
  size: readonly [number, number, number];
  /** The corner of least x, y and z. Default the world's origin. */
  origin?: readonly [number, number, number];
}): TetMesh {
  const { cells, size, origin = [0, 0, 0] } = options;
  cells.forEach((count, axis) => {
    if (!Number.isInteger(count) || count < 1)
      throw new Error(`tetGrid: cells[${axis}] is ${count}; it must be a whole number of at least 1.`);
    if (!(size[axis] > 0)) throw new Error(`tetGrid: size[${axis}] is ${size[axis]}; it must be above 0.`);
  });
  const [nx, ny, nz] = cells;
  const positions: number[] = [];
  for (let z = 0; z <= nz; z++)
    for (let y = 0; y <= ny; y++)
      for (let x = 0; x <= nx; x++)
        [x, y, z].forEach((k, axis) => {
          positions.push(origin[axis] + (k * size[axis]) / cells[axis]);
        });
  const tets: number[] = [];
  const point = (x: number, y: number, z: number): number => x + (nx + 1) * (y + (ny + 1) * z);
  for (let z = 0; z < nz; z++)
    for (let y = 0; y < ny; y++)
      for (let x = 0; x < nx; x++)
        for (const tet of (x + y + z) % 2 === 0 ? EVEN : ODD)
          for (const corner of tet)
            tets.push(point(x + (corner & 1), y + ((corner >> 1) & 1), z + ((corner >> 2) & 1)));
  return { positions, tets };
}
