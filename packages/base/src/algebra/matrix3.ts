import { cross, dot, type Vector, vectorAt } from './vector.ts';

/** A 3 x 3 matrix as its three rows. */
export type Matrix3 = readonly (readonly number[])[];

/** Rows of a 3 x 3 matrix that is given as nine numbers, row by row. */
export const rowsOf = (entries: ArrayLike<number>): [Vector, Vector, Vector] => [
  vectorAt(entries, 0),
  vectorAt(entries, 1),
  vectorAt(entries, 2),
];

/** Determinant, as the triple product a . (b x c) of the rows. */
export const determinant = ([a, b, c]: Matrix3): number => dot(a, cross(b, c));

/** Inverse of a symmetric matrix, as rows; its entries are not finite where the matrix is singular. */
export function symmetricInverse([a, b, c]: Matrix3): [Vector, Vector, Vector] {
  const across = cross(b, c);
  const whole = dot(a, across);
  const divided = ([x, y, z]: Vector): Vector => [x / whole, y / whole, z / whole];
  return [divided(across), divided(cross(c, a)), divided(cross(a, b))];
}

/** Matrix times vector. */
export const transform = ([a, b, c]: Matrix3, v: ArrayLike<number>): Vector => [dot(a, v), dot(b, v), dot(c, v)];

/** Transposed matrix: columns as rows. */
export const transpose = (m: Matrix3): [Vector, Vector, Vector] => {
  const column = (j: number): Vector => [m[0][j], m[1][j], m[2][j]];
  return [column(0), column(1), column(2)];
};

/** Product of two matrices. */
export function multiplyMatrices(a: Matrix3, b: Matrix3): [Vector, Vector, Vector] {
  const columns = transpose(b);
  return [transform(columns, a[0]), transform(columns, a[1]), transform(columns, a[2])];
}
