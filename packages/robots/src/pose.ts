import { add, multiplyQuaternions, norm, type Quaternion, rotate, scale, type Vector } from '@gradsim/numeric';

export interface Pose {
  readonly position: Vector;
  /** Rotation from the frame's own axes to those of its parent, as a quaternion. */
  readonly orientation: Quaternion;
}

export const UNTURNED: Quaternion = [0, 0, 0, 1];
export const ORIGIN: Pose = { position: [0, 0, 0], orientation: UNTURNED };

/** The vector of length 1 in a direction; undefined for what has none. */
export function unit(a: Vector): Vector | undefined {
  const length = norm(a);
  return length > 0 ? scale(a, 1 / length) : undefined;
}

/** A pose in the axes that `outer` is given in. */
export const within = (outer: Pose, inner: Pose): Pose => ({
  position: add(outer.position, rotate(outer.orientation, inner.position)),
  orientation: multiplyQuaternions(outer.orientation, inner.orientation),
});

/** Returns the rotation by an angle, rad, about an axis of length 1. */
export const about = (axis: Vector, angle: number): Quaternion => [
  ...scale(axis, Math.sin(angle / 2)),
  Math.cos(angle / 2),
];

/** URDF's: about the fixed axes x, then y, then z. */
export const ofRollPitchYaw = ([roll, pitch, yaw]: Vector): Quaternion =>
  multiplyQuaternions(about([0, 0, 1], yaw), multiplyQuaternions(about([0, 1, 0], pitch), about([1, 0, 0], roll)));

/** Turns z to a direction of length 1 by the shortest way. */
export function fromZ(direction: Vector): Quaternion {
  const [x, y, z] = direction;
  if (z < -1 + 1e-12) return [1, 0, 0, 0];
  const w = Math.sqrt((1 + z) / 2);
  return [-y / (2 * w), x / (2 * w), 0, w];
}

/** R A R^T of a 3 x 3 matrix, row by row. */
export function turnTensor(q: Quaternion, tensor: readonly number[]): number[] {
  const columns = [rotate(q, [1, 0, 0]), rotate(q, [0, 1, 0]), rotate(q, [0, 0, 1])];
  return Array.from({ length: 9 }, (_, k) => {
    const [i, j] = [Math.floor(k / 3), k % 3];
    let sum = 0;
    for (let a = 0; a < 3; a++) for (let b = 0; b < 3; b++) sum += columns[a][i] * tensor[3 * a + b] * columns[b][j];
    return sum;
  });
}
