import { determinant, dot, GradsimError, type Matrix3, type Quaternion } from '@gradsim/base';
import { nearestRotation } from '../plane.ts';
import { positiveQuaternionOfMatrix, unitQuaternion } from '../rotation.ts';

/**
 * Maximum deviation of a row's length from 1, and of the scalar product of two rows of a rotation matrix from 0. It is
 * wide because files have few digits.
 */
const ORTHONORMAL_TOLERANCE = 0.01;

/**
 * Converts a rotation matrix read from a file to a quaternion (x, y, z, w).
 * @throws if rows are not of length 1 or not orthogonal, or the determinant is negative; the message contains the
 * matrix.
 */
export function rotationOfMatrix(m: Matrix3, name: string, label: string): Quaternion {
  const refuse = (reason: string): never => {
    throw new GradsimError(
      'cameras/not-a-rotation',
      `${label}: ${name} is (${m.map((row) => row.join(', ')).join('; ')}), which is no rotation: ${reason}.`,
    );
  };
  const product = (i: number, j: number): number => dot(m[i], m[j]);
  for (const i of [0, 1, 2])
    if (!(Math.abs(product(i, i) - 1) <= 2 * ORTHONORMAL_TOLERANCE))
      refuse(`row ${i + 1} has the length ${Number(Math.sqrt(product(i, i)).toPrecision(4))}, and must have 1`);
  for (const [i, j] of [
    [0, 1],
    [0, 2],
    [1, 2],
  ])
    if (!(Math.abs(product(i, j)) <= ORTHONORMAL_TOLERANCE))
      refuse(`rows ${i + 1} and ${j + 1} are not at right angles`);
  if (determinant(m) < 0) refuse('it mirrors, its determinant is -1');
  return positiveQuaternionOfMatrix(nearestRotation(m));
}

/**
 * Normalises a quaternion (x, y, z, w) read from a file.
 * @throws if its length is not 1, to 0.01; the message contains its values.
 */
export function rotationOfQuaternion(q: Quaternion, name: string, label: string): Quaternion {
  const length = Math.hypot(...q);
  if (!(Math.abs(length - 1) <= ORTHONORMAL_TOLERANCE))
    throw new GradsimError(
      'cameras/not-a-rotation',
      `${label}: ${name} is the quaternion (x, y, z, w) = (${q.join(', ')}), which is no rotation: its length is ${Number(length.toPrecision(4))}, and must be 1.`,
    );
  return unitQuaternion(q);
}
