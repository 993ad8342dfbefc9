import type { F32, Mat22, Vec2, Vec3 } from '@gradsim/core';
import { detach, dot, f32, field, floor, mat22, vec2, vec3 } from '@gradsim/core';
import { Triangle } from './components.ts';

/** Two columns of a 3 x 2 matrix, such as the two edges of a triangle from its first corner. */
export type Columns = readonly [Vec3, Vec3];

/** Two edges of a triangle from its first corner as computed, and the rounding errors of that, m. */
export interface Edges {
  readonly rounded: Columns;
  readonly error: Columns;
}

/**
 * Grid spacing to which edge components of a triangle are rounded, m, a power of two of about 1/2000 of its longest
 * edge; and its inverse, 1/m.
 */
export const lengthGrid = field(Triangle.domain, 'lengthGrid', vec2, { unit: 'm' });

/** Returns the spacing and its inverse of {@link lengthGrid} for a longest edge in metres. */
export function gridSpacing(longestEdge: number): [number, number] {
  const spacing = 2 ** (Math.ceil(Math.log2(longestEdge)) - 11);
  return [spacing, 1 / spacing];
}

/** Returns a - b, rounded, and its rounding error (Knuth's TwoSum), which has no derivative. */
function roundedDifference(a: Vec3, b: Vec3): { rounded: Vec3; error: Vec3 } {
  const rounded = a.sub(b);
  const back = rounded.sub(a);
  const missing = a.sub(rounded.sub(back)).sub(b.add(back));
  return { rounded, error: detach(missing).neg() };
}

/**
 * Returns the two edges of a triangle from its first corner, with their rounding errors.
 * @param positionAt returns the position of corner k.
 * @param carryOf returns the rounding error stored with the position of corner k.
 */
export function edgesOf(positionAt: (k: number) => Vec3, carryOf?: (k: number) => Vec3): Edges {
  const [first, second] = [1, 2].map((k) => {
    const { rounded, error } = roundedDifference(positionAt(k), positionAt(0));
    return { rounded, error: carryOf ? error.add(detach(carryOf(k).sub(carryOf(0)))) : error };
  });
  return { rounded: [first.rounded, second.rounded], error: [first.error, second.error] };
}

/** Dot products of two edges e1.e1, e1.e2, e2.e2, m^2, as the sum of a large and a small part. */
export interface Metric {
  /** Dot products of the edges rounded to the grid. They are exact: products of integers below 4096. */
  readonly leading: Vec3;
  /** Remainder that `leading` leaves out: about a thousandth of it. */
  readonly remainder: Vec3;
}

/**
 * The metric of a triangle, with about ten bits more than single precision. Strain is a difference of metrics: a stiff
 * membrane amplifies the last digits of lengths, and buckling amplifies them further.
 */
export function metricOf({ rounded, error }: Edges, grid: Vec2): Metric {
  const half = f32(0.5);
  const cut = rounded.map((e) => {
    const toGrid = (x: F32): F32 => floor(x.mul(grid.y).add(half)).mul(grid.x);
    return vec3(toGrid(e.x), toGrid(e.y), toGrid(e.z));
  });
  const left = rounded.map((e, k) => e.sub(cut[k]).sub(error[k]));
  const product = (i: number, j: number): F32 => dot(cut[i], cut[j]);
  const remainder = (i: number, j: number): F32 => dot(cut[i], left[j]).add(dot(left[i], cut[j].add(left[j])));
  return {
    leading: vec3(product(0, 0), product(0, 1), product(1, 1)),
    remainder: vec3(remainder(0, 0), remainder(0, 1), remainder(1, 1)),
  };
}

/** Returns F^T F - I, twice the Green strain, from the current and the rest metric: Dm^-T (current - rest) Dm^-1. */
export function strainOf(current: Metric, rest: Metric, inverse: Mat22): Mat22 {
  const d = current.leading.sub(rest.leading).add(current.remainder.sub(rest.remainder));
  const [a, b] = [inverse.column(0), inverse.column(1)];
  const between = (u: Vec2, v: Vec2): F32 =>
    d.x
      .mul(u.x.mul(v.x))
      .add(d.y.mul(u.x.mul(v.y).add(u.y.mul(v.x))))
      .add(d.z.mul(u.y.mul(v.y)));
  const across = between(a, b);
  return mat22(between(a, a), across, across, between(b, b));
}
