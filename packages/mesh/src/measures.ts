import { cross, dot, norm, subtract } from '@gradsim/base';

/** Returns the area of a triangle, m2, given its three corners. */
export function triangleArea([a, b, c]: readonly ArrayLike<number>[]): number {
  return norm(cross(subtract(b, a), subtract(c, a))) / 2;
}

/** Returns the volume of a tetrahedron, m3, given its four corners; negative when it is inverted. */
export function tetVolume([a, b, c, d]: readonly ArrayLike<number>[]): number {
  return dot(subtract(b, a), cross(subtract(c, a), subtract(d, a))) / 6;
}

/** Returns the largest distance between two corners of an element, m. */
export function longestEdge(points: readonly ArrayLike<number>[]): number {
  let longest = 0;
  for (let i = 0; i < points.length; i++)
    for (let j = 0; j < i; j++) longest = Math.max(longest, norm(subtract(points[i], points[j])));
  return longest;
}

/**
 * Fold angle of a surface at an edge x3 x4 between two triangles with opposite vertices x1 and x2, as {@link
 * findHinges} returns them: atan2(e.(n1 x n2) / |e|, n1.n2), in rad from -pi to pi, with e = x4 - x3, n1 = (x3 - x1) x
 * (x4 - x1) and n2 = (x4 - x2) x (x3 - x2). 0 if both triangles lie in a plane, or the edge has no length.
 */
export function foldAngle([x1, x2, x3, x4]: readonly ArrayLike<number>[]): number {
  const e = subtract(x4, x3);
  const n1 = cross(subtract(x3, x1), subtract(x4, x1));
  const n2 = cross(subtract(x4, x2), subtract(x3, x2));
  return Math.atan2(dot(e, cross(n1, n2)) / (norm(e) || 1), dot(n1, n2));
}
