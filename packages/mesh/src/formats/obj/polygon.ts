import { cross, dot, norm, scale, subtract, type Vector } from '@gradsim/base';
import { earcut } from './polygon-library.ts';

/** Sine of the angle by which a corner may turn the other way in a polygon that counts as convex. */
const MAX_CONCAVE_SINE = 1e-9;

/**
 * Splits a polygon into triangles that fill it, as indices of its corners, in its own sense of rotation: a fan from the first
 * corner if it is convex, else by cutting ears in its plane.
 *
 * ```ts
 * trianglesOfPolygon([[0, 0, 0], [1, 0, 0], [1, 1, 0]]); // [[0, 1, 2]]
 * ```
 * @param corners three or more, nearly in one plane.
 */
export function trianglesOfPolygon(corners: readonly Vector[]): [number, number, number][] {
  const normal = normalOf(corners);
  const count = corners.length;
  const fan = Array.from({ length: count - 2 }, (_, k): [number, number, number] => [0, k + 1, k + 2]);
  if (count === 3 || norm(normal) === 0 || isConvex(corners, normal)) return fan;
  // Axes of the plane, by which the polygon runs counterclockwise.
  const up = scale(normal, 1 / norm(normal));
  const along = subtract(corners[1], corners[0]);
  const flat = subtract(along, scale(up, dot(along, up)));
  const first = norm(flat) > 0 ? scale(flat, 1 / norm(flat)) : perpendicularUnit(up);
  const second = cross(up, first);
  const plane = corners.flatMap((corner) => [dot(corner, first), dot(corner, second)]);
  const cut = earcut(plane);
  const triangles = Array.from({ length: cut.length / 3 }, (_, t): [number, number, number] => {
    const [a, b, c] = cut.slice(3 * t, 3 * t + 3);
    const turn = (plane[2 * b] - plane[2 * a]) * (plane[2 * c + 1] - plane[2 * a + 1]);
    const back = (plane[2 * c] - plane[2 * a]) * (plane[2 * b + 1] - plane[2 * a + 1]);
    return turn >= back ? [a, b, c] : [a, c, b];
  });
  return removeFlatTriangles(addMissingCorners(triangles, plane), plane);
}

/** Adds corners that no triangle has, since they are in the middle of an edge, by splitting the triangle there. */
function addMissingCorners(
  triangles: [number, number, number][],
  plane: readonly number[],
): [number, number, number][] {
  const count = plane.length / 2;
  const used = new Set(triangles.flat());
  const missing = Array.from({ length: count }, (_, k) => k).filter((k) => !used.has(k));
  const all = [...triangles];
  for (const corner of missing) {
    const off = (a: number, b: number): number => {
      const [ux, uy] = [plane[2 * b] - plane[2 * a], plane[2 * b + 1] - plane[2 * a + 1]];
      const [vx, vy] = [plane[2 * corner] - plane[2 * a], plane[2 * corner + 1] - plane[2 * a + 1]];
      const length = Math.hypot(ux, uy);
      const part = (ux * vx + uy * vy) / length ** 2;
      return part > 0 && part < 1 ? Math.abs(ux * vy - uy * vx) / length : Number.POSITIVE_INFINITY;
    };
    let [best, at, side] = [Number.POSITIVE_INFINITY, -1, 0];
    for (const [t, triangle] of all.entries())
      for (let k = 0; k < 3; k++) {
        const own = off(triangle[k], triangle[(k + 1) % 3]);
        if (own < best) [best, at, side] = [own, t, k];
      }
    if (at < 0) continue;
    const [a, b, c] = [0, 1, 2].map((k) => all[at][(side + k) % 3]);
    all.splice(at, 1, [a, corner, c], [corner, b, c]);
  }
  return all;
}

/** Height of a triangle, as a part of its longest side, below which it has no area. */
const MIN_RELATIVE_HEIGHT = 1e-9;

/** Takes out triangles of no area: the corner in the middle goes to the triangle beyond the longest side. */
function removeFlatTriangles(
  triangles: readonly [number, number, number][],
  plane: readonly number[],
): [number, number, number][] {
  const all = [...triangles];
  const between = (a: number, b: number): [number, number] => [
    plane[2 * b] - plane[2 * a],
    plane[2 * b + 1] - plane[2 * a + 1],
  ];
  for (let round = 0; round < triangles.length; round++) {
    const flat = all.findIndex(([a, b, c]) => {
      const [u, v, w] = [between(a, b), between(a, c), between(b, c)];
      const longest = Math.max(...[u, v, w].map(([x, y]) => x * x + y * y));
      return Math.abs(u[0] * v[1] - u[1] * v[0]) <= MIN_RELATIVE_HEIGHT * longest;
    });
    if (flat < 0) break;
    const own = all[flat];
    const lengths = own.map((a, k) => Math.hypot(...between(a, own[(k + 1) % 3])));
    const side = lengths.indexOf(Math.max(...lengths));
    const [from, to, middle] = [0, 1, 2].map((k) => own[(side + k) % 3]);
    const beyond = all.findIndex(
      (other, t) => t !== flat && other.some((a, k) => a === to && other[(k + 1) % 3] === from),
    );
    if (beyond < 0) break;
    const k = all[beyond].indexOf(to);
    const tip = all[beyond][(k + 2) % 3];
    const split: [number, number, number][] = [
      [to, middle, tip],
      [middle, from, tip],
    ];
    const kept = all.filter((_, t) => t !== flat && t !== beyond);
    all.splice(0, all.length, ...kept, ...split);
  }
  return all;
}

/** Twice the area vector of a polygon (Newell's method). */
function normalOf(corners: readonly Vector[]): Vector {
  let sum: Vector = [0, 0, 0];
  for (let k = 1; k + 1 < corners.length; k++) {
    const own = cross(subtract(corners[k], corners[0]), subtract(corners[k + 1], corners[0]));
    sum = [sum[0] + own[0], sum[1] + own[1], sum[2] + own[2]];
  }
  return sum;
}

function isConvex(corners: readonly Vector[], normal: Vector): boolean {
  const count = corners.length;
  return corners.every((corner, k) => {
    const [before, after] = [corners[(k + count - 1) % count], corners[(k + 1) % count]];
    const [a, b] = [subtract(corner, before), subtract(after, corner)];
    return dot(cross(a, b), normal) >= -MAX_CONCAVE_SINE * norm(a) * norm(b) * norm(normal);
  });
}

/** A unit vector at right angles to another. */
function perpendicularUnit(up: Vector): Vector {
  const axis: Vector = Math.abs(up[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0];
  const found = cross(up, axis);
  return scale(found, 1 / norm(found));
}
