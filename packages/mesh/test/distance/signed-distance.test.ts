import { expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';

import { icosphere, SignedDistance } from '../../src/index.ts';

type Point = readonly number[];

const SEED = seedOfRun('signed distance');

const minus = (a: Point, b: Point): number[] => a.map((x, k) => x - b[k]);
const dot = (a: Point, b: Point): number => a.reduce((sum, x, k) => sum + x * b[k], 0);
const cross = (a: Point, b: Point): number[] =>
  [0, 1, 2].map((k) => a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]);
type Triangle = readonly [Point, Point, Point];

/**
 * Returns the distance of a point from a triangle: from its plane if the point lies above the triangle, else from the
 * nearest side.
 */
function toTriangle(p: Point, [a, b, c]: Triangle): number {
  const normal = cross(minus(b, a), minus(c, a));
  const isAbove = (
    [
      [a, b],
      [b, c],
      [c, a],
    ] as const
  ).every(([s, t]) => dot(cross(minus(t, s), minus(p, s)), normal) >= 0);
  if (isAbove) return Math.abs(dot(minus(p, a), normal)) / Math.hypot(...normal);
  const toSide = (s: Point, t: Point): number => {
    const along = minus(t, s);
    const at = Math.min(Math.max(dot(minus(p, s), along) / dot(along, along), 0), 1);
    return Math.hypot(...minus(p, s).map((x, k) => x - at * along[k]));
  };
  return Math.min(toSide(a, b), toSide(b, c), toSide(c, a));
}

/**
 * Solid angle of a triangle seen from p, as a fraction of the full sphere. Source: A. van Oosterom, J. Strackee, 1983.
 */
function solidAngle(p: Point, triangle: Triangle): number {
  const [a, b, c] = triangle.map((corner) => minus(corner, p));
  const [la, lb, lc] = [a, b, c].map((v) => Math.hypot(...v));
  const below = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
  return Math.atan2(dot(a, cross(b, c)), below) / (2 * Math.PI);
}

it('signed distance equals brute force over all triangles with the winding number, near spikes and in concave parts', () => {
  const random = randomNumbers(SEED);
  // Every vertex of a ball at a radius of its own: sharp spikes, deep valleys, no triangle through another.
  const ball = icosphere({ radius: 1, subdivisions: 2 });
  const positions = ball.positions.slice();
  for (let v = 0; v < positions.length; v += 3) {
    const radius = 0.3 + 0.7 * random();
    for (let axis = 0; axis < 3; axis++) positions[v + axis] *= radius;
  }
  const corner = (v: number): Point => [...positions.subarray(3 * v, 3 * v + 3)];
  const triangles = Array.from({ length: ball.triangles.length / 3 }, (_, t): Triangle => {
    const [a, b, c] = ball.triangles.subarray(3 * t, 3 * t + 3);
    return [corner(a), corner(b), corner(c)];
  });
  const distance = new SignedDistance({ ...ball, positions });
  let inside = 0;
  for (let k = 0; k < 2000; k++) {
    const p = [0, 1, 2].map(() => 1.6 * random() - 0.8) as [number, number, number];
    const winding = triangles.reduce((sum, t) => sum + solidAngle(p, t), 0);
    const exact = triangles.reduce((least, t) => Math.min(least, toTriangle(p, t)), Infinity);
    const isInside = Math.round(winding) === 1;
    if (isInside) inside++;
    const found = distance.at(p);
    // Rounding of numbers of about 1, some dozen operations; near a thin triangle divided by its sine.
    expect(Math.abs(found - (isInside ? -exact : exact)), `at ${p}`).toBeLessThan(1e-12);
    // A bound on the distance only makes it quicker.
    expect(distance.at(p, exact)).toBe(found);
  }
  expect(inside).toBeGreaterThan(100);
});
