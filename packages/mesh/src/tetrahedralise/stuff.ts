import { vectorAt } from '@gradsim/base';
import { tetVolume } from '../measures.ts';
import type { Crossings } from './crossings.ts';
import type { Lattice } from './lattice.ts';
import { EDGES, FIRST_SHORT } from './lattice.ts';

/**
 * Fraction of a long lattice edge: if the surface crosses it nearer than this to one end, that lattice point is moved
 * onto the surface (Labelle and Shewchuk, for a uniform lattice).
 */
const TOO_NEAR_ON_LONG = 0.24999;
/**
 * Fraction of a short lattice edge: if the surface crosses it nearer than this to one end, that lattice point is moved
 * onto the surface.
 */
const TOO_NEAR_ON_SHORT = 0.41189;

/**
 * Fills a surface with tetrahedra by isosurface stuffing. Lattice points near which the surface crosses a lattice edge
 * are moved onto it; then the part of each lattice tetrahedron inside the surface is split into tetrahedra.
 *
 * Source: Labelle, Shewchuk, Isosurface Stuffing: Fast Tetrahedral Meshes with Good Dihedral Angles, 2007.
 *
 * @returns points in lattice units, and tetrahedra of positive volume.
 */
export function stuffLattice(lattice: Lattice, crossings: Crossings): { points: number[]; tets: number[] } {
  const { signs, points, cuts } = warpLattice(lattice, crossings);
  const positions: number[] = [];
  const tets: number[] = [];
  const numbers = new Map<number, number>();
  /**
   * Returns the new vertex number of a lattice point or of the intersection on an edge, by its key, adding it if it is
   * new.
   */
  const numberOf = (key: number, x: number, y: number, z: number): number => {
    const known = numbers.get(key);
    if (known !== undefined) return known;
    positions.push(x, y, z);
    numbers.set(key, numbers.size);
    return numbers.size - 1;
  };
  const kept = (p: number): number => numberOf(p, points[3 * p], points[3 * p + 1], points[3 * p + 2]);
  const cut = (p: number, q: number): number => {
    const { key, start, end } = edgeBetween(lattice, p, q);
    const part = cuts.get(key)!;
    const [x, y, z] = [0, 1, 2].map(
      (k) => points[3 * start + k] + part * (points[3 * end + k] - points[3 * start + k]),
    );
    return numberOf(lattice.size + key, x, y, z);
  };
  const emit = (a: number, b: number, c: number, d: number): void => {
    if (tetVolume([a, b, c, d].map((v) => vectorAt(positions, v))) > 0) tets.push(a, b, c, d);
    else tets.push(a, c, b, d);
  };
  /**
   * Splits a triangular prism into three tetrahedra. It has three columns, each from a point in `below` to one in
   * `above`; the side face between columns i and j is split by the diagonal from the lower end of i if `wins(i, j)`,
   * else of j.
   */
  const prism = (below: readonly number[], above: readonly number[], wins: (i: number, j: number) => boolean): void => {
    const [i, j, k] = [0, 1, 2].sort((m, n) => (wins(m, n) ? -1 : 1));
    emit(below[i], below[j], below[k], above[k]);
    emit(below[i], below[j], above[j], above[k]);
    emit(below[i], above[i], above[j], above[k]);
  };

  for (const tet of lattice.tets()) {
    const plus = tet.filter((p) => signs[p] > 0);
    if (plus.length === 0) continue;
    const zero = tet.filter((p) => signs[p] === 0).map(kept);
    const minus = tet.filter((p) => signs[p] < 0);
    const [a, b, c] = plus;
    const [m, n] = minus;
    if (minus.length === 0) {
      const [v0, v1, v2, v3] = tet.map(kept);
      emit(v0, v1, v2, v3);
    } else if (plus.length === 1) {
      const [v1, v2, v3] = [...minus.map((q) => cut(a, q)), ...zero];
      emit(kept(a), v1, v2, v3);
    } else if (plus.length === 2 && zero.length === 1) {
      const [first, second] = diagonalIsFromFirst(lattice, a, b, m) ? [a, b] : [b, a];
      emit(kept(a), kept(b), cut(second, m), zero[0]);
      emit(kept(first), cut(a, m), cut(b, m), zero[0]);
    } else if (plus.length === 3) {
      prism(
        [a, b, c].map(kept),
        [a, b, c].map((p) => cut(p, m)),
        (i, j) => diagonalIsFromFirst(lattice, plus[i], plus[j], m),
      );
    } else {
      // Columns from a to b, from the cuts next to a to those next to b. The face of the four cuts lies on the surface
      // and can be split either way, so long as the three splits are not cyclic.
      const fromA = [m, n].map((q) => diagonalIsFromFirst(lattice, a, b, q));
      const secondWins = fromA[0] === fromA[1] ? m > n : fromA[0];
      const beats = [
        [false, fromA[0], fromA[1]],
        [!fromA[0], false, !secondWins],
        [!fromA[1], secondWins, false],
      ];
      prism([kept(a), cut(a, m), cut(a, n)], [kept(b), cut(b, m), cut(b, n)], (i, j) => beats[i][j]);
    }
  }
  return { points: positions, tets };
}

/**
 * Moves each lattice point onto its nearest intersection among those that are too near to it, and marks it as on the
 * surface, so that the intersections on its other edges no longer count.
 */
function warpLattice(lattice: Lattice, crossings: Crossings): Crossings {
  const { cuts } = crossings;
  const [signs, points] = [crossings.signs.slice(), crossings.points.slice()];
  /** Keys of the intersections too near to a lattice point, by its number. */
  const near = new Map<number, number[]>();
  const add = (point: number, key: number): void => {
    const list = near.get(point);
    if (list) list.push(key);
    else near.set(point, [key]);
  };
  const ends = (key: number): [number, number] => {
    const start = Math.floor(key / EDGES.length);
    const [x, y, z] = lattice.point(start);
    const [ex, ey, ez] = EDGES[key % EDGES.length];
    return [start, lattice.at(x + ex, y + ey, z + ez)];
  };
  for (const [key, part] of cuts) {
    const tooNear = key % EDGES.length < FIRST_SHORT ? TOO_NEAR_ON_LONG : TOO_NEAR_ON_SHORT;
    const [start, end] = ends(key);
    if (part < tooNear) add(start, key);
    if (1 - part < tooNear) add(end, key);
  }
  for (const point of [...near.keys()].sort((p, q) => p - q)) {
    let least = Infinity;
    let to: number[] = [];
    for (const key of near.get(point)!) {
      const [start, end] = ends(key);
      if (signs[start] * signs[end] >= 0) continue;
      const edge = EDGES[key % EDGES.length];
      const part = start === point ? cuts.get(key)! : cuts.get(key)! - 1;
      const distance = Math.abs(part) * Math.hypot(...edge);
      if (distance >= least) continue;
      least = distance;
      to = edge.map((e, axis) => points[3 * point + axis] + part * e);
    }
    if (least === Infinity) continue;
    points.set(to, 3 * point);
    signs[point] = 0;
  }
  return { signs, points, cuts };
}

function edgeBetween(lattice: Lattice, p: number, q: number): { key: number; start: number; end: number } {
  const [from, to] = [lattice.point(p), lattice.point(q)];
  const by = to.map((x, axis) => x - from[axis]);
  const isForward = by[0] + by[1] / 4 + by[2] / 16 > 0;
  const edge = EDGES.findIndex((e) => e.every((x, axis) => x === (isForward ? by[axis] : -by[axis])));
  const [start, end] = isForward ? [p, q] : [q, p];
  return { key: EDGES.length * start + edge, start, end };
}

/**
 * Decides the diagonal of a quadrilateral face with corners a and b inside and the intersections on the edges from
 * these to `outside`. True: from a to the intersection next to b; false: from b to the intersection next to a. Both
 * tetrahedra at the face get the same answer.
 */
function diagonalIsFromFirst(lattice: Lattice, a: number, b: number, outside: number): boolean {
  const isSameGrid = (p: number): boolean => ((p ^ outside) & 1) === 0;
  // One cut on a long edge, one on a short: to the one on the long.
  if (isSameGrid(a) !== isSameGrid(b)) return isSameGrid(b);
  // Both on short edges: the parity rule, by which the two such faces of a tetrahedron split from different ends.
  const [from, to] = [lattice.point(a), lattice.point(outside)];
  return from.filter((x, axis) => x > to[axis]).length % 2 === 0;
}
