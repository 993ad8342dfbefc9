import { cross, determinant, dot, norm, scale, subtract, type Vector, vectorAt, vectorOf } from '@gradsim/base';
import type { TriangleMesh } from '@gradsim/mesh';
import { weldMesh } from '@gradsim/mesh';

/** Edge between two faces of a solid. */
export interface Edge {
  readonly ends: readonly [Vector, Vector];
  /** Unit vectors perpendicular to the edge, from it into each of the two faces; zero vectors if there are no faces. */
  readonly inward: readonly [Vector, Vector];
}

/** Corners and edges of a shape's core; the shape consists of all points within a radius of the core. */
export interface Core {
  readonly corners: readonly Vector[];
  readonly edges: readonly Edge[];
  /**
   * Points between the ends of a capsule's segment. They touch meshes as corners do, since a small part of a mesh might
   * otherwise pass between the ends.
   */
  readonly segmentPoints?: readonly Vector[];
}

const ORIGIN: Vector = [0, 0, 0];
const AXES: readonly Vector[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const SIGNS = [-1, 1] as const;

/** Core of a sphere: a point. */
export const POINT_CORE: Core = { corners: [ORIGIN], edges: [] };

const [LOW, HIGH]: readonly Vector[] = [
  [0, -1, 0],
  [0, 1, 0],
];
/**
 * Maximum number of points along a capsule's segment. Their spacing is at most the capsule's radius, or larger where
 * that would take more points.
 */
const MAX_SAMPLES_ALONG = 32;
/** Core of a capsule, in units of half of the segment's length. */
export function segmentCore(length: number, radius: number): Core {
  const parts = Math.min(Math.ceil(length / radius), MAX_SAMPLES_ALONG + 1);
  return {
    corners: [LOW, HIGH],
    edges: [{ ends: [LOW, HIGH], inward: [ORIGIN, ORIGIN] }],
    segmentPoints: Array.from({ length: Math.max(parts - 1, 0) }, (_, k): Vector => [0, (2 * (k + 1)) / parts - 1, 0]),
  };
}

/** Core of a box: a cube from -1 to 1 along each axis, in units of half of the core's edge lengths. */
export const CUBE_CORE: Core = {
  corners: SIGNS.flatMap((x) => SIGNS.flatMap((y) => SIGNS.map((z): Vector => [x, y, z]))),
  edges: AXES.flatMap((_, along) =>
    SIGNS.flatMap((a) =>
      SIGNS.map((b): Edge => {
        const [second, third] = [(along + 1) % 3, (along + 2) % 3];
        const at = (t: number): Vector => vectorOf((k) => (k === along ? t : k === second ? a : b));
        return {
          ends: [at(-1), at(1)],
          inward: [vectorOf((k) => (k === second ? -a : 0)), vectorOf((k) => (k === third ? -b : 0))],
        };
      }),
    ),
  ),
};

/** Cosine of 5 degrees: faces whose normals include a smaller angle count as one face. */
const COPLANAR_COSINE = Math.cos((5 * Math.PI) / 180);
/** Maximum displacement of a mesh's corner inwards, in multiples of the rounding radius. */
const MAX_INSET = 4;

/**
 * Core of a closed mesh: its corners, moved inwards so that a ball of `radius` at each touches the planes of the
 * adjacent faces, in least squares; and its convex edges, between the moved corners.
 */
export function coreOfMesh(mesh: TriangleMesh, radius: number): Core {
  const { positions, triangles } = weldMesh(mesh);
  const at = (v: number): Vector => vectorAt(positions, v);
  const normals = new Map<number, Vector[]>();
  const sides = new Map<string, { readonly normal: Vector; readonly opposite: number }[]>();
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [triangles[t], triangles[t + 1], triangles[t + 2]];
    const [a, b, c] = corners.map(at);
    const across = cross(subtract(b, a), subtract(c, a));
    const length = norm(across);
    if (!(length > 0)) continue;
    const normal = scale(across, 1 / length);
    corners.forEach((v, k) => {
      const known = normals.get(v) ?? [];
      if (!known.some((n) => dot(n, normal) > COPLANAR_COSINE)) known.push(normal);
      normals.set(v, known);
      const next = corners[(k + 1) % 3];
      const key = [v, next].sort((i, j) => i - j).join();
      sides.set(key, [...(sides.get(key) ?? []), { normal, opposite: corners[(k + 2) % 3] }]);
    });
  }
  const moved = new Map([...normals].map(([v, of]) => [v, subtract(at(v), scale(insetDirection(of), radius))]));
  const edges = [...sides].flatMap(([key, faces]): Edge[] => {
    if (faces.length !== 2) return [];
    const [i, j] = key.split(',').map(Number);
    const [one, other] = faces;
    const isConvex = dot(one.normal, subtract(at(other.opposite), at(i))) < 0;
    if (!isConvex || dot(one.normal, other.normal) > COPLANAR_COSINE) return [];
    const along = subtract(at(j), at(i));
    const inward = faces.map(({ opposite }) => perpendicularPart(subtract(at(opposite), at(i)), along));
    return [{ ends: [moved.get(i)!, moved.get(j)!], inward: [inward[0], inward[1]] }];
  });
  return { corners: [...moved.values()], edges };
}

/** Returns the component of `a` perpendicular to `along`, normalised. */
function perpendicularPart(a: Vector, along: Vector): Vector {
  const rest = subtract(a, scale(along, dot(a, along) / dot(along, along)));
  return scale(rest, 1 / norm(rest));
}

/**
 * Returns the a that solves n . a = 1 for all unit normals n in least squares, (sum n n^T + tiny)^-1 sum n, shortened
 * to a length of at most `MAX_INSET`.
 */
function insetDirection(normals: readonly Vector[]): Vector {
  const tiny = 1e-9;
  const rows = [0, 1, 2].map((i) => vectorOf((j) => normals.reduce((sum, n) => sum + n[i] * n[j], i === j ? tiny : 0)));
  const right = vectorOf((i) => normals.reduce((sum, n) => sum + n[i], 0));
  const [a, b, c] = rows;
  const whole = determinant(rows);
  const solved: Vector = [
    determinant([right, b, c]) / whole,
    determinant([a, right, c]) / whole,
    determinant([a, b, right]) / whole,
  ];
  // In a symmetric matrix rows are columns: this is Cramer's rule.
  return scale(solved, Math.min(1, MAX_INSET / norm(solved)));
}
