import type { TriangleMesh } from '@gradsim/mesh';

/** Edge length of a cell of the mesh, m. */
const CELL = 2 / 9;
/** Numbers of cells: along the back, from the feet up to the belly, and from the feet up to the back. */
const [COLUMNS, BELLY, ROWS] = [9, 4, 8] as const;
/** Width of each of the two legs, in cells. */
const LEG = 2;
/** Initial height of the feet above the ground, m. */
const HEIGHT = 0.0571795;

/**
 * Mesh of the paper's walker: a flat sheet of 52 square cells, 104 triangles, 2 m long and 1.78 m high, which stands on
 * two legs in the plane z = 0.
 */
export function walkerMesh(): TriangleMesh {
  const positions: number[] = [];
  const numbers = new Map<string, number>();
  const vertex = (column: number, row: number): number => {
    const key = `${column} ${row}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    positions.push(column * CELL - 1, HEIGHT + row * CELL, 0);
    numbers.set(key, numbers.size);
    return numbers.size - 1;
  };
  const triangles: number[] = [];
  for (let row = 0; row < ROWS; row++)
    for (let column = 0; column < COLUMNS; column++) {
      const isLeg = column < LEG || column >= COLUMNS - LEG;
      if (row < BELLY && !isLeg) continue;
      const [a, b] = [vertex(column, row), vertex(column + 1, row)];
      const [c, d] = [vertex(column, row + 1), vertex(column + 1, row + 1)];
      triangles.push(a, b, c, b, d, c);
    }
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) };
}
