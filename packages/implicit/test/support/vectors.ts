export type Vec = readonly [number, number, number];

export const plus = (a: Vec, b: Vec): Vec => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const minus = (a: Vec, b: Vec): Vec => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const times = (s: number, a: Vec): Vec => [s * a[0], s * a[1], s * a[2]];
export const dot = (a: Vec, b: Vec): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const length = (a: Vec): number => Math.hypot(...a);
export const cross = (a: Vec, b: Vec): Vec => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Rotates by the unit quaternion (x, y, z, w): v + 2 w (u x v) + 2 u x (u x v). */
export function rotate([x, y, z, w]: ArrayLike<number> & Iterable<number>, v: Vec): Vec {
  const u: Vec = [x, y, z];
  const first = cross(u, v);
  return plus(v, times(2, plus(times(w, first), cross(u, first))));
}

/** Columns of a 3 x 3 matrix. */
export type Columns = readonly [Vec, Vec, Vec];
export const apply = (A: Columns, v: Vec): Vec => plus(plus(times(v[0], A[0]), times(v[1], A[1])), times(v[2], A[2]));
export const product = (A: Columns, B: Columns): Columns => [apply(A, B[0]), apply(A, B[1]), apply(A, B[2])];
export const transposed = (A: Columns): Columns =>
  [0, 1, 2].map((k): Vec => [A[0][k], A[1][k], A[2][k]]) as unknown as Columns;
export const determinant = (A: Columns): number => dot(A[0], cross(A[1], A[2]));
/** Returns the cofactor matrix det(A) A^-T. */
export const cofactors = (A: Columns): Columns => [cross(A[1], A[2]), cross(A[2], A[0]), cross(A[0], A[1])];
export const inverse = (A: Columns): Columns => {
  const scale = 1 / determinant(A);
  return transposed(cofactors(A)).map((c) => times(scale, c)) as unknown as Columns;
};
export const sumOf = (A: Columns, B: Columns): Columns => A.map((c, k) => plus(c, B[k])) as unknown as Columns;
export const scaled = (s: number, A: Columns): Columns => A.map((c) => times(s, c)) as unknown as Columns;
