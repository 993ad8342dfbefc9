import type { TriangleMesh } from '../mesh.ts';
import type { Lattice } from './lattice.ts';

/**
 * Returns the winding number of the surface about each lattice point: 1 inside, 0 outside, more where parts of the mesh
 * overlap, less where they face inwards.
 *
 * It is counted along the lattice's lines in x: each triangle that a line crosses changes it by one. In boxes whose
 * faces lie in the lattice, most lines would pass through edges or vertices, so all lines are shifted by `shift` in y
 * and z, much less than the distance below which points count as lying on the surface. The side on which a line passes
 * an edge is computed from the edge's ends in a fixed order, so that both its triangles agree on it, rounding included,
 * and no line passes between two adjacent triangles.
 *
 * @param surface in lattice units.
 * @returns undefined when a line leaves the surface more or less often than it enters it: try another shift.
 */
export function windingNumbers(
  lattice: Lattice,
  { positions, triangles }: TriangleMesh,
  shift: readonly [number, number],
): Int8Array | undefined {
  const [nx, ny, nz] = lattice.cubes;
  /** Crossings of each line with the surface, two numbers each: x, and the change of the winding number there. */
  const crossings: number[][] = Array.from({ length: 2 * ny * nz }, () => []);
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [triangles[t], triangles[t + 1], triangles[t + 2]] as const;
    const [low, high] = [1, 2]
      .map((axis) => corners.map((c) => positions[3 * c + axis] - shift[axis - 1]))
      .reduce(
        ([lows, highs], values) => [
          [...lows, Math.ceil(Math.min(...values))],
          [...highs, Math.floor(Math.max(...values))],
        ],
        [[], []] as [number[], number[]],
      );
    for (let z = Math.max(low[1], 0); z <= Math.min(high[1], 2 * nz - 1); z++) {
      for (let y = Math.max(low[0], 0); y <= Math.min(high[0], 2 * ny - 1); y++) {
        if ((y ^ z) & 1) continue;
        const crossing = lineCrossing(positions, corners, y + shift[0], z + shift[1]);
        if (crossing) crossings[2 * ((y >> 1) + ny * (z >> 1)) + (y & 1)].push(...crossing);
      }
    }
  }
  const winding = new Int8Array(lattice.size);
  for (let line = 0; line < crossings.length; line++) {
    const found = crossings[line];
    if (found.length === 0) continue;
    const order = Array.from({ length: found.length / 2 }, (_, k) => k).sort((a, b) => found[2 * a] - found[2 * b]);
    const odd = line & 1;
    let [number, next] = [0, 0];
    for (let i = 0; i < nx; i++) {
      while (next < order.length && found[2 * order[next]] <= 2 * i + odd) number += found[2 * order[next++] + 1];
      winding[2 * (i + nx * (line >> 1)) + odd] = number;
    }
    for (; next < order.length; next++) number += found[2 * order[next] + 1];
    if (number !== 0) return undefined;
  }
  return winding;
}

/**
 * Returns the x at which the line through (y, z) along x crosses a triangle, and 1 if it enters the surface there, -1
 * if it leaves; undefined if it misses the triangle.
 */
function lineCrossing(
  positions: ArrayLike<number>,
  [a, b, c]: readonly [number, number, number],
  y: number,
  z: number,
): readonly [number, number] | undefined {
  const [ab, bc, ca] = [
    doubleSignedArea(positions, a, b, y, z),
    doubleSignedArea(positions, b, c, y, z),
    doubleSignedArea(positions, c, a, y, z),
  ];
  const isLeaving = isLeft(ab, a, b);
  if (isLeft(bc, b, c) !== isLeaving || isLeft(ca, c, a) !== isLeaving) return undefined;
  const x = (bc * positions[3 * a] + ca * positions[3 * b] + ab * positions[3 * c]) / (ab + bc + ca);
  // A triangle seen edge-on from x, but still hit: the count will not close, and another shift is tried.
  return Number.isFinite(x) ? [x, isLeaving ? -1 : 1] : undefined;
}

/**
 * Returns twice the signed area of the triangle p, q, (y, z) in the y-z plane. Swapping p and q changes exactly the
 * sign.
 */
function doubleSignedArea(positions: ArrayLike<number>, p: number, q: number, y: number, z: number): number {
  const [i, j] = p < q ? [3 * p, 3 * q] : [3 * q, 3 * p];
  const [iy, iz] = [positions[i + 1], positions[i + 2]];
  const area = (positions[j + 1] - iy) * (z - iz) - (positions[j + 2] - iz) * (y - iy);
  return p < q ? area : -area;
}

/** Returns whether a signed area is positive; 0 counts as positive if p < q, and as negative otherwise. */
const isLeft = (area: number, p: number, q: number): boolean => (p < q ? area >= 0 : area > 0);
