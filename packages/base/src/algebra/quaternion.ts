import type { Matrix3 } from './matrix3.ts';
import type { Vector } from './vector.ts';

/** A quaternion (x, y, z, w). One of length 1 is a rotation, and its negative is the same rotation. */
export type Quaternion = readonly [number, number, number, number];

/** Quaternion number `k` of a flat list, in which x, y, z, w of each quaternion follow one another. */
export const quaternionAt = (components: ArrayLike<number>, k: number): Quaternion => [
  components[4 * k],
  components[4 * k + 1],
  components[4 * k + 2],
  components[4 * k + 3],
];

/** Product p q. As a rotation: q first, then p. */
export const multiplyQuaternions = (p: ArrayLike<number>, q: ArrayLike<number>): Quaternion => [
  p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1],
  p[3] * q[1] - p[0] * q[2] + p[1] * q[3] + p[2] * q[0],
  p[3] * q[2] + p[0] * q[1] - p[1] * q[0] + p[2] * q[3],
  p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2],
];

/** Conjugate: the inverse of a quaternion of length 1. */
export const conjugate = (q: ArrayLike<number>): Quaternion => [-q[0], -q[1], -q[2], q[3]];

/** A quaternion divided by its length; NaN for the zero quaternion. */
export function normalizeQuaternion(q: ArrayLike<number>): Quaternion {
  const length = Math.hypot(q[0], q[1], q[2], q[3]);
  return [q[0] / length, q[1] / length, q[2] / length, q[3] / length];
}

/** A vector rotated by a quaternion of length 1: q v q*. */
export function rotate(q: ArrayLike<number>, v: ArrayLike<number>): Vector {
  const [x, y, z, w] = [q[0], q[1], q[2], q[3]];
  const [a, b, c, d] = [
    w * v[0] + y * v[2] - z * v[1],
    w * v[1] - x * v[2] + z * v[0],
    w * v[2] + x * v[1] - y * v[0],
    x * v[0] + y * v[1] + z * v[2],
  ];
  return [d * x + a * w - b * z + c * y, d * y + a * z + b * w - c * x, d * z - a * y + b * x + c * w];
}

/**
 * Rotation about the direction of a vector. Its angle is the vector's length times `seconds`: the vector is an angular
 * velocity in rad/s or, with the default of 1, a rotation vector in rad.
 */
export function rotationAbout(vector: ArrayLike<number>, seconds = 1): Quaternion {
  // Math.hypot takes several times as long.
  const rate = Math.sqrt(vector[0] ** 2 + vector[1] ** 2 + vector[2] ** 2);
  const half = (rate * seconds) / 2;
  const factor = rate === 0 ? seconds / 2 : Math.sin(half) / rate;
  return [vector[0] * factor, vector[1] * factor, vector[2] * factor, Math.cos(half)];
}

/**
 * Quaternion of a rotation matrix. Its largest component is computed first, so that nothing cancels, and is positive.
 * Source: S. W. Shepperd, 1978.
 */
export function quaternionOfMatrix(m: Matrix3): Quaternion {
  const trace = m[0][0] + m[1][1] + m[2][2];
  // Four times the square of each component, and four times the products of two.
  const squares = [1 + 2 * m[0][0] - trace, 1 + 2 * m[1][1] - trace, 1 + 2 * m[2][2] - trace, 1 + trace];
  const [xy, xz, yz] = [m[0][1] + m[1][0], m[0][2] + m[2][0], m[1][2] + m[2][1]];
  const [xw, yw, zw] = [m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]];
  const [x, y, z, w] = [
    [squares[0], xy, xz, xw],
    [xy, squares[1], yz, yw],
    [xz, yz, squares[2], zw],
    [xw, yw, zw, squares[3]],
  ][squares.indexOf(Math.max(...squares))];
  const factor = 1 / Math.hypot(x, y, z, w);
  return [x * factor, y * factor, z * factor, w * factor];
}
