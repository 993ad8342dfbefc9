import type { Matrix3, Quaternion } from '@gradsim/numeric';
import { multiplyQuaternions, quaternionOfMatrix, rotationAbout } from '@gradsim/numeric';

/** Normalises a quaternion to length 1 and w of at least 0. */
export function unit([x, y, z, w]: Quaternion): Quaternion {
  const by = (w < 0 ? -1 : 1) / Math.hypot(x, y, z, w);
  return [x * by, y * by, z * by, w * by];
}

/** Rotation about a vector, by its length in radians. */
export const ofVector = (vector: readonly number[]): Quaternion => unit(rotationAbout(vector));

/** Composition: first b, then a. */
export const after = (a: Quaternion, b: Quaternion): Quaternion => unit(multiplyQuaternions(a, b));

/** Rotation of a matrix. */
export function ofMatrix(m: Matrix3): Quaternion {
  const [x, y, z, w] = quaternionOfMatrix(m);
  return w < 0 ? [-x, -y, -z, -w] : [x, y, z, w];
}
