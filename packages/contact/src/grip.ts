import {
  cross,
  dot,
  norm,
  normalize,
  rowsOf,
  subtract,
  symmetricInverse,
  transform,
  type Vector,
  vectorAt,
} from '@gradsim/base';
import { pointMobilityRatio } from '@gradsim/dynamics';

/** Vertices of a solid relative to its centre of mass, m, its triangles, and its inertia. */
interface Solid {
  readonly positions: ArrayLike<number>;
  readonly triangles: ArrayLike<number>;
  /** Inertia over mass about the centre of mass, 3 x 3, row by row, m^2. */
  readonly gyration: ArrayLike<number>;
}

/**
 * Distance from a plane, as a fraction of the largest coordinate, up to which a vertex counts as lying in the plane.
 */
const PLANE_TOLERANCE = 1e-4;
/** Maximum number of triangles times vertices for which hull faces are found; larger meshes use single vertices. */
const MAX_WORK = 2e7;
/** Number of power iterations for the largest eigenvalue. */
const POWER_ITERATIONS = 30;

/**
 * Stiffness ratio of a body that rests on springs of stiffness ke under its vertices, to a point of its mass m on one
 * such spring: the largest w^2 m / ke over the faces of its convex hull, with springs under all vertices in the face.
 * With n the face's normal and r_i these vertices relative to the centre of mass, the w^2 m / ke are the eigenvalues of
 * G_ij = 1 + (r_i x n) . J^-1 (r_j x n), J the inertia over mass.
 */
export function restingStiffnessRatio({ positions, triangles, gyration }: Solid): number {
  const count = positions.length / 3;
  const at = (v: number): Vector => vectorAt(positions, v);
  const inverse = symmetricInverse(rowsOf(gyration));
  const size = Math.max(...Array.from(positions, Math.abs));
  let most = 0;
  const done = new Set<string>();
  if ((triangles.length / 3) * count <= MAX_WORK)
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => at(triangles[t + k]));
      const across = cross(subtract(b, a), subtract(c, a));
      if (!(norm(across) > 0)) continue;
      const n = normalize(across);
      const key = n.map((x) => x.toFixed(4)).join();
      if (done.has(key)) continue;
      const face = supportVertices(n, dot(n, a), count, at, PLANE_TOLERANCE * size);
      if (!face) continue;
      done.add(key);
      most = Math.max(
        most,
        largest(
          face.map((v) => cross(at(v), n)),
          inverse,
        ),
      );
    }
  if (most > 0) return most;
  // For any normal.
  for (let v = 0; v < count; v++) most = Math.max(most, pointMobilityRatio(gyration, at(v)));
  return most;
}

/** Returns the vertices that lie in a plane, if all others are below the plane; otherwise an empty list. */
function supportVertices(
  n: Vector,
  height: number,
  count: number,
  at: (v: number) => Vector,
  tolerance: number,
): number[] | null {
  const face: number[] = [];
  for (let v = 0; v < count; v++) {
    const above = dot(n, at(v)) - height;
    if (above > tolerance) return null;
    if (above > -tolerance) face.push(v);
  }
  return face;
}

/** Returns the largest eigenvalue of the matrix G of {@link restingStiffnessRatio}, by power iteration. */
function largest(arms: readonly Vector[], inverse: readonly Vector[]): number {
  const turned = arms.map((arm) => transform(inverse, arm));
  let x = arms.map((_, i) => 1 + 0.1 * Math.sin(i + 1));
  let value = 0;
  for (let round = 0; round < POWER_ITERATIONS; round++) {
    const sum = x.reduce((all, c) => all + c, 0);
    const moment = [0, 1, 2].map((k) => arms.reduce((all, arm, i) => all + arm[k] * x[i], 0));
    const next = turned.map((arm) => sum + arm[0] * moment[0] + arm[1] * moment[1] + arm[2] * moment[2]);
    value = Math.hypot(...next) / Math.hypot(...x);
    x = next.map((c) => c / value);
  }
  return value;
}
