import { cross, dot, GradsimError, subtract, type Vector } from '@gradsim/base';
import { closestOnTriangle } from '../distance/closest-on-triangle.ts';
import { cornersOf } from '../elements.ts';
import { type TriangleMesh, triangleCount } from '../mesh.ts';
import { windingNumbers } from './inside.ts';
import type { Lattice } from './lattice.ts';
import { EDGES } from './lattice.ts';

/** Distance to the surface, in lattice units, below which a lattice point counts as lying on it. */
const ON_SURFACE = 1e-6;
/**
 * Shifts (y, z) of the scan lines, in multiples of `ON_SURFACE`, tried in turn until every line leaves the surface as
 * often as it enters.
 */
const SCAN_LINE_SHIFTS = [
  [0.31, 0.17],
  [-0.23, 0.29],
  [0.13, -0.37],
  [-0.19, -0.11],
] as const;

/** Lattice points relative to the surface, and intersections of lattice edges with it. */
export interface Crossings {
  /** Sign of each lattice point: 1 inside, -1 outside, 0 on the surface. */
  readonly signs: Int8Array;
  /** Lattice points in lattice units; those that count as on the surface are moved onto it exactly. */
  readonly points: Float64Array;
  /**
   * Intersections with the surface of edges that lead from inside to outside or back: position as a fraction of the
   * edge, from its start. The key is 7 times the number of the lattice point at its start, plus its index in `EDGES`.
   */
  readonly cuts: ReadonlyMap<number, number>;
}

/**
 * Determines the position of lattice points relative to a surface, and where lattice edges cross it.
 *
 * @param surface in lattice units.
 * @throws GradsimError when the surface faces inwards around a lattice point, or winds around it more than once.
 */
export function findCrossings(lattice: Lattice, surface: TriangleMesh): Crossings {
  const { signs, points } = signsOf(lattice, surface);
  return { signs, points, cuts: edgeIntersections(lattice, signs, surface) };
}

function signsOf(lattice: Lattice, surface: TriangleMesh): { signs: Int8Array; points: Float64Array } {
  const { name } = surface;
  let winding: Int8Array | undefined;
  for (let k = 0; k < SCAN_LINE_SHIFTS.length && !winding; k++) {
    const [y, z] = SCAN_LINE_SHIFTS[k];
    winding = windingNumbers(lattice, surface, [y * ON_SURFACE, z * ON_SURFACE]);
  }
  if (!winding)
    throw new GradsimError(
      'mesh/not-separable',
      `tetrahedralise: inside and outside of ${name} cannot be told apart in double precision.`,
      { hint: 'Weld it, or move it to the origin.' },
    );
  const signs = winding.map((number) => (number === 0 ? -1 : 1));
  const points = new Float64Array(3 * lattice.size);
  for (let p = 0; p < lattice.size; p++) points.set(lattice.point(p), 3 * p);
  const point = new Float64Array(3);
  forEachTriangle(surface, (triangle, low, high) => {
    forEachPoint(lattice, low, high, ON_SURFACE, (x, y, z) => {
      closestOnTriangle([x, y, z], surface, triangle, point);
      if (Math.hypot(point[0] - x, point[1] - y, point[2] - z) > ON_SURFACE) return;
      const p = lattice.at(x, y, z);
      signs[p] = 0;
      points.set(point, 3 * p);
    });
  });
  const wrong = winding.findIndex((number, p) => signs[p] !== 0 && number !== 0 && number !== 1);
  if (wrong >= 0) {
    const at = [...lattice.toMetres(lattice.point(wrong))].map((x) => x.toPrecision(4)).join(', ');
    throw new GradsimError(
      'mesh/overlapping-parts',
      winding[wrong] < 0
        ? `tetrahedralise: ${name} faces inwards round the point (${at}); turn its triangles there round.`
        : `tetrahedralise: parts of ${name} overlap round the point (${at}); unite them into one surface first.`,
    );
  }
  return { signs, points };
}

/**
 * Finds the intersections of lattice edges with the surface. If several triangles cross an edge, the one nearest to the
 * outer end counts.
 */
function edgeIntersections(lattice: Lattice, signs: Int8Array, surface: TriangleMesh): Map<number, number> {
  const found = new Map<number, { along: number; miss: number }>();
  const crossed = crossedEdgeMasks(lattice, signs);
  forEachTriangle(surface, (triangle, low, high) => {
    const plane = planeOf(surface, triangle);
    forEachPoint(lattice, low, high, 2, (x, y, z) => {
      const p = lattice.at(x, y, z);
      for (let edge = 0, rest = crossed[p]; rest > 0; edge++, rest >>= 1) {
        if ((rest & 1) === 0) continue;
        const hit = crossEdge(plane, [x, y, z], EDGES[edge]);
        if (!hit) continue;
        const known = found.get(EDGES.length * p + edge);
        const isOuter = !known || (signs[p] < 0 ? hit.along < known.along : hit.along > known.along);
        if (!known || hit.miss < known.miss || (hit.miss === known.miss && isOuter))
          found.set(EDGES.length * p + edge, hit);
      }
    });
  });
  return new Map([...found].map(([key, { along }]) => [key, along]));
}

/**
 * Returns a bit mask for each lattice point: bit k is set if `EDGES[k]` from this point leads from inside to outside or
 * back.
 */
function crossedEdgeMasks(lattice: Lattice, signs: Int8Array): Uint8Array {
  const crossed = new Uint8Array(lattice.size);
  for (let p = 0; p < lattice.size; p++) {
    const [x, y, z] = lattice.point(p);
    for (let edge = 0; edge < EDGES.length; edge++) {
      const [ex, ey, ez] = EDGES[edge];
      if (!lattice.has(x + ex, y + ey, z + ez)) continue;
      if (signs[p] * signs[lattice.at(x + ex, y + ey, z + ez)] < 0) crossed[p] |= 1 << edge;
    }
  }
  return crossed;
}

/** Plane of a triangle: corner a, edges u and v that start there, their cross product n, and its square. */
interface Plane {
  readonly a: Vector;
  readonly u: Vector;
  readonly v: Vector;
  readonly n: Vector;
  readonly square: number;
}

function planeOf(surface: TriangleMesh, triangle: number): Plane {
  const [a, b, c] = cornersOf(surface, triangle);
  const [u, v] = [subtract(b, a), subtract(c, a)];
  const n = cross(u, v);
  return { a, u, v, n, square: dot(n, n) };
}

/**
 * Maximum magnitude of a negative barycentric coordinate that counts as inside the triangle, so that rounding does not
 * lose an intersection.
 */
const BARYCENTRIC_TOLERANCE = 1e-9;

/**
 * Intersects an edge with the plane of a triangle. Returns the position as a fraction of the edge, and how far it is
 * outside the triangle (0 inside; largest negative barycentric coordinate); undefined without an intersection.
 */
function crossEdge(
  { a, u, v, n, square }: Plane,
  start: Vector,
  edge: Vector,
): { along: number; miss: number } | undefined {
  const w = subtract(start, a);
  const slope = dot(n, edge);
  if (slope * slope <= 1e-24 * square) return undefined;
  const along = -dot(n, w) / slope;
  if (!(along >= -BARYCENTRIC_TOLERANCE && along <= 1 + BARYCENTRIC_TOLERANCE)) return undefined;
  const p: Vector = [w[0] + along * edge[0], w[1] + along * edge[1], w[2] + along * edge[2]];
  const second = dot(n, cross(p, v));
  const third = dot(n, cross(u, p));
  const least = Math.min(second, third, square - second - third) / square;
  return { along: Math.min(Math.max(along, 0), 1), miss: least >= -BARYCENTRIC_TOLERANCE ? 0 : -least };
}

function forEachTriangle(
  surface: TriangleMesh,
  visit: (triangle: number, low: readonly number[], high: readonly number[]) => void,
): void {
  for (let t = 0; t < triangleCount(surface); t++) {
    const corners = cornersOf(surface, t);
    const along = (axis: number): number[] => corners.map((corner) => corner[axis]);
    visit(
      t,
      [0, 1, 2].map((axis) => Math.min(...along(axis))),
      [0, 1, 2].map((axis) => Math.max(...along(axis))),
    );
  }
}

/** Calls a function with every lattice point in a box enlarged by `margin` on all sides, in lattice units. */
function forEachPoint(
  lattice: Lattice,
  low: readonly number[],
  high: readonly number[],
  margin: number,
  visit: (x: number, y: number, z: number) => void,
): void {
  const [x0, y0, z0] = low.map((value) => Math.max(Math.ceil(value - margin), 0));
  const [x1, y1, z1] = high.map((value, axis) => Math.min(Math.floor(value + margin), 2 * lattice.cubes[axis] - 1));
  for (let z = z0; z <= z1; z++)
    for (let y = y0; y <= y1; y++) {
      if ((y ^ z) & 1) continue;
      for (let x = x0 + ((x0 ^ y) & 1); x <= x1; x += 2) visit(x, y, z);
    }
}
