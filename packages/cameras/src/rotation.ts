import type { Matrix3, Quaternion } from '@gradsim/base';
import { multiplyQuaternions, quaternionOfMatrix, rotationAbout } from '@gradsim/base';

/** Normalises a quaternion (x, y, z, w) to length 1 and, by its sign, w >= 0. */
export function unit([x, y, z, w]: Quaternion): Quaternion {
  const by = (w < 0 ? -1 : 1) / Math.hypot(x, y, z, w);
  return [x * by, y * by, z * by, w * by];
}

/** Quaternion of the rotation about a vector by an angle, rad, equal to the vector's length. */
export const ofVector = (vector: readonly number[]): Quaternion => unit(rotationAbout(vector));

/** Composition a b of two rotations: b is applied first, then a. */
export const after = (a: Quaternion, b: Quaternion): Quaternion => unit(multiplyQuaternions(a, b));

/** Converts a rotation matrix to a quaternion with w >= 0. */
export function ofMatrix(m: Matrix3): Quaternion {
  const [x, y, z, w] = quaternionOfMatrix(m);
  return w < 0 ? [-x, -y, -z, -w] : [x, y, z, w];
}
