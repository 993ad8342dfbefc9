import type { Vector } from '@gradsim/base';
import { GradsimError } from '@gradsim/base';
import type { Bounds } from '../bounds.ts';

/** Maximum number of lattice points: more would make more than 20 million tetrahedra. */
const MAX_POINTS = 4e6;

/**
 * Edges from a lattice point to its neighbours, in lattice units, each edge of the lattice once: three long ones to
 * points of the same grid (cube corners or centres), four short ones to points of the other grid.
 */
export const EDGES: readonly Vector[] = [
  [2, 0, 0],
  [0, 2, 0],
  [0, 0, 2],
  [1, -1, -1],
  [1, 1, -1],
  [1, -1, 1],
  [1, 1, 1],
];
/** Index in `EDGES` of the first short edge. */
export const FIRST_SHORT = 3;

/**
 * Body-centred cubic lattice around a box: the corners and centres of cubes. In lattice units, half the edge of a cube,
 * its points are the triples of integers that are all even or all odd.
 */
export class Lattice {
  /** Number of cubes along each axis. */
  readonly cubes: Vector;
  /** Lattice unit: half the edge of a cube, m. */
  readonly unit: number;
  readonly #origin: Vector;

  /**
   * Creates a lattice of cubes with edge `cellSize` (m), centred on the box, so that symmetry is kept, with a layer of
   * cubes to spare around it.
   * @throws when it would have too many points.
   */
  constructor({ low, high }: Bounds, cellSize: number) {
    this.unit = cellSize / 2;
    const reach = low.map((x, axis) => Math.ceil((high[axis] - x) / (2 * cellSize)) + 1);
    const cubes = reach.map((r) => 2 * r + 1);
    this.cubes = [cubes[0], cubes[1], cubes[2]];
    if (this.size > MAX_POINTS)
      throw new GradsimError(
        'mesh/too-large',
        `tetrahedralise: cellSize ${cellSize} m needs a lattice of ${this.cubes.join(' x ')} cells, of which at most ${MAX_POINTS / 2} can be handled.`,
        { hint: 'Take larger cells.' },
      );
    const origin = low.map((x, axis) => (x + high[axis]) / 2 - reach[axis] * cellSize);
    this.#origin = [origin[0], origin[1], origin[2]];
  }

  /** Number of lattice points. */
  get size(): number {
    return 2 * this.cubes[0] * this.cubes[1] * this.cubes[2];
  }
  /** Returns the number of the lattice point at (x, y, z), in lattice units. */
  at(x: number, y: number, z: number): number {
    const [nx, ny] = this.cubes;
    return 2 * ((x >> 1) + nx * ((y >> 1) + ny * (z >> 1))) + (x & 1);
  }
  /** Returns the position of the lattice point of a number, in lattice units. */
  point(number: number): Vector {
    const [nx, ny] = this.cubes;
    const [odd, cube] = [number & 1, number >> 1];
    const layer = Math.floor(cube / nx);
    return [2 * (cube % nx) + odd, 2 * (layer % ny) + odd, 2 * Math.floor(layer / ny) + odd];
  }
  has(x: number, y: number, z: number): boolean {
    const [nx, ny, nz] = this.cubes;
    return x >= 0 && y >= 0 && z >= 0 && x < 2 * nx && y < 2 * ny && z < 2 * nz;
  }
  /** Converts positions from metres to lattice units. */
  fromMetres(positions: ArrayLike<number>): Float64Array {
    return Float64Array.from(positions, (x, k) => (x - this.#origin[k % 3]) / this.unit);
  }
  toMetres(points: ArrayLike<number>): Float64Array {
    return Float64Array.from(points, (x, k) => x * this.unit + this.#origin[k % 3]);
  }

  /**
   * Yields every tetrahedron as the numbers of its four points: v0 v1 is a long edge of the even grid, v2 v3 a long
   * edge of the odd grid next to it. The other four edges are short.
   */
  *tets(): Generator<readonly [number, number, number, number]> {
    const [nx, ny, nz] = this.cubes;
    const ring = [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ];
    for (let z = 0; z < 2 * nz; z += 2)
      for (let y = 0; y < 2 * ny; y += 2)
        for (let x = 0; x < 2 * nx; x += 2)
          for (let axis = 0; axis < 3; axis++) {
            const end = [x, y, z];
            end[axis] += 2;
            if (!this.has(end[0], end[1], end[2])) continue;
            const around = ring.map(([u, v]) => {
              const point = [x, y, z];
              point[axis] += 1;
              point[(axis + 1) % 3] += u;
              point[(axis + 2) % 3] += v;
              return this.has(point[0], point[1], point[2]) ? this.at(point[0], point[1], point[2]) : -1;
            });
            const [v0, v1] = [this.at(x, y, z), this.at(end[0], end[1], end[2])];
            for (let k = 0; k < 4; k++) {
              const [v2, v3] = [around[k], around[(k + 1) % 4]];
              if (v2 >= 0 && v3 >= 0) yield [v0, v1, v2, v3];
            }
          }
  }
}
