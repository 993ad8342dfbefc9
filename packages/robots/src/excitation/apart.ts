import { add, dot, norm, scale, solvePositiveDefinite, subtract, type Vector } from '@gradsim/base';

/** Steps towards the nearest points, at most; polyhedra of some hundred corners take about ten. */
const MAX_STEPS = 40;
/** Part of the squared distance by which a step must come nearer. */
const MIN_IMPROVEMENT = 1e-9;

/**
 * True if the convex hulls of two sets of points are further apart than `minDistance`, m; false where that is not decided.
 *
 * Source: E. G. Gilbert, D. W. Johnson and S. S. Keerthi 1988, A fast procedure for computing the distance between complex
 * objects in three-dimensional space.
 */
export function areApart(a: readonly Vector[], b: readonly Vector[], minDistance: number): boolean {
  let simplex: readonly Vector[] = [subtract(a[0], b[0])];
  let [near] = simplex;
  for (let step = 0; step < MAX_STEPS; step++) {
    const distance = norm(near);
    if (distance <= minDistance) return false;
    const next = subtract(furthest(a, scale(near, -1)), furthest(b, near));
    const along = dot(near, next);
    if (along > minDistance * distance) return true;
    if (distance ** 2 - along <= MIN_IMPROVEMENT * distance ** 2) return false;
    ({ near, simplex } = nearest([...simplex, next]));
  }
  return false;
}

/** Corner of a hull that is furthest along a direction. */
export function furthest(points: readonly Vector[], direction: Vector): Vector {
  let [best, most] = [points[0], Number.NEGATIVE_INFINITY];
  for (const point of points) {
    const x = dot(point, direction);
    if (x > most) [best, most] = [point, x];
  }
  return best;
}

/** Point of a simplex of up to four corners nearest to the origin, and the corners that it lies between. */
function nearest(corners: readonly Vector[]): { readonly near: Vector; readonly simplex: readonly Vector[] } {
  let found: { readonly near: Vector; readonly simplex: readonly Vector[] } | undefined;
  for (let chosen = 1; chosen < 1 << corners.length; chosen++) {
    const simplex = corners.filter((_, k) => chosen & (1 << k));
    const [first, ...others] = simplex;
    const edges = others.map((corner) => subtract(corner, first));
    const parts = solvePositiveDefinite(
      edges.map((e) => edges.map((f) => dot(e, f))),
      edges.map((e) => -dot(e, first)),
    );
    // Outside of the simplex, or of one without extent.
    if (!parts || parts.some((x) => x < 0) || parts.reduce((sum, x) => sum + x, 0) > 1) continue;
    const near = edges.reduce((sum, e, k) => add(sum, scale(e, parts[k])), first);
    if (!found || dot(near, near) < dot(found.near, found.near)) found = { near, simplex };
  }
  return found!;
}
