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
} from '@gradsim/numeric';
import { heldPoint } from '@gradsim/physics';

/** Points of a solid, its triangles, and its moments. */
interface Solid {
  readonly positions: ArrayLike<number>;
  readonly triangles: ArrayLike<number>;
  /** Inertia over mass about the centre of mass, row by row, m^2. */
  readonly gyration: ArrayLike<number>;
}

/** Distance from a plane, relative to the size, up to which a vertex lies in it. */
const FLAT = 1e-4;
/** Maximum number of operations; larger meshes use single vertices. */
const MAX_WORK = 2e7;
/** Number of power iterations. */
const ROUNDS = 30;

/**
 * Stiffness ratio of a body resting on springs under its vertices to all of its mass on one spring: the largest w^2 m /
 * ke over the faces of its convex hull with all vertices in them touching. With n the face's normal and r_i the
 * vertices, w^2 m / ke are the eigenvalues of G_ij = 1 + (r_i x n) . J^-1 (r_j x n), J the inertia over mass.
 */
export function gripOf({ positions, triangles, gyration }: Solid): number {
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
      const face = supporting(n, dot(n, a), count, at, FLAT * size);
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
  for (let v = 0; v < count; v++) most = Math.max(most, heldPoint(gyration, at(v)));
  return most;
}

/** Returns the vertices in a plane with all others below it; empty if some are above. */
function supporting(
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

/** Largest eigenvalue of G, by power iteration. */
function largest(arms: readonly Vector[], inverse: readonly Vector[]): number {
  const turned = arms.map((arm) => transform(inverse, arm));
  let x = arms.map((_, i) => 1 + 0.1 * Math.sin(i + 1));
  let value = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const sum = x.reduce((all, c) => all + c, 0);
    const moment = [0, 1, 2].map((k) => arms.reduce((all, arm, i) => all + arm[k] * x[i], 0));
    const next = turned.map((arm) => sum + arm[0] * moment[0] + arm[1] * moment[1] + arm[2] * moment[2]);
    value = Math.hypot(...next) / Math.hypot(...x);
    x = next.map((c) => c / value);
  }
  return value;
}
