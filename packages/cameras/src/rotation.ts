import type { Matrix3, Quaternion } from '@gradsim/base';
import { multiplyQuaternions, quaternionOfMatrix, rotationAbout } from '@gradsim/base';

/** Normalises a quaternion (x, y, z, w) to length 1 and, by its sign, w >= 0. */
export function unitQuaternion([x, y, z, w]: Quaternion): Quaternion {
  const by = (w < 0 ? -1 : 1) / Math.hypot(x, y, z, w);
  return [x * by, y * by, z * by, w * by];
}

/** Quaternion of the rotation about a vector by an angle, rad, equal to the vector's length. */
export const quaternionOfVector = (vector: readonly number[]): Quaternion => unitQuaternion(rotationAbout(vector));

/** Composition a b of two rotations: b is applied first, then a. */
export const composeRotations = (a: Quaternion, b: Quaternion): Quaternion => unitQuaternion(multiplyQuaternions(a, b));

/** Converts a rotation matrix to a quaternion with w >= 0. */
export function positiveQuaternionOfMatrix(m: Matrix3): Quaternion {
  const [x, y, z, w] = quaternionOfMatrix(m);
  return w < 0 ? [-x, -y, -z, -w] : [x, y, z, w];
}
