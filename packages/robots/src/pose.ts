import { add, multiplyQuaternions, norm, type Quaternion, rotate, scale, type Vector } from '@gradsim/base';

export interface Pose {
  readonly position: Vector;
  /** Rotation from the frame's own axes to those of its parent, as a unit quaternion (x, y, z, w). */
  readonly orientation: Quaternion;
}

export const UNTURNED: Quaternion = [0, 0, 0, 1];
export const ORIGIN: Pose = { position: [0, 0, 0], orientation: UNTURNED };

/** Normalises a vector to length 1; undefined for the zero vector. */
export function unit(a: Vector): Vector | undefined {
  const length = norm(a);
  return length > 0 ? scale(a, 1 / length) : undefined;
}

/** Composes poses: `inner` is relative to `outer`, the result relative to the frame in which `outer` is given. */
export const composedPose = (outer: Pose, inner: Pose): Pose => ({
  position: add(outer.position, rotate(outer.orientation, inner.position)),
  orientation: multiplyQuaternions(outer.orientation, inner.orientation),
});

/** Quaternion (x, y, z, w) of the rotation by an angle, rad, about an axis of length 1. */
export const rotationAboutAxis = (axis: Vector, angle: number): Quaternion => [
  ...scale(axis, Math.sin(angle / 2)),
  Math.cos(angle / 2),
];

/** Quaternion (x, y, z, w) of URDF's roll, pitch and yaw, rad: rotations about the fixed axes x, then y, then z. */
export const ofRollPitchYaw = ([roll, pitch, yaw]: Vector): Quaternion =>
  multiplyQuaternions(
    rotationAboutAxis([0, 0, 1], yaw),
    multiplyQuaternions(rotationAboutAxis([0, 1, 0], pitch), rotationAboutAxis([1, 0, 0], roll)),
  );

/** Quaternion (x, y, z, w) of the smallest rotation that turns the z axis to a direction of length 1. */
export function fromZ(direction: Vector): Quaternion {
  const [x, y, z] = direction;
  if (z < -1 + 1e-12) return [1, 0, 0, 0];
  const w = Math.sqrt((1 + z) / 2);
  return [-y / (2 * w), x / (2 * w), 0, w];
}

/** Rotates a 3 x 3 tensor A, row by row: R A R^T with the rotation matrix R of a unit quaternion. */
export function turnTensor(q: Quaternion, tensor: readonly number[]): number[] {
  const columns = [rotate(q, [1, 0, 0]), rotate(q, [0, 1, 0]), rotate(q, [0, 0, 1])];
  return Array.from({ length: 9 }, (_, k) => {
    const [i, j] = [Math.floor(k / 3), k % 3];
    let sum = 0;
    for (let a = 0; a < 3; a++) for (let b = 0; b < 3; b++) sum += columns[a][i] * tensor[3 * a + b] * columns[b][j];
    return sum;
  });
}
