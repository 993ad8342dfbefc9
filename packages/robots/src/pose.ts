import type { Vector } from './element.ts';

/** (x, y, z, w), of length 1. */
export type Quaternion = readonly [number, number, number, number];
export interface Pose {
  readonly position: Vector;
  /** From own axes to those that it is given in. */
  readonly orientation: Quaternion;
}

export const UNTURNED: Quaternion = [0, 0, 0, 1];
export const ORIGIN: Pose = { position: [0, 0, 0], orientation: UNTURNED };

export const plus = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scaled = (a: Vector, s: number): Vector => [s * a[0], s * a[1], s * a[2]];
export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = ([a, b, c]: Vector, [x, y, z]: Vector): Vector => [b * z - c * y, c * x - a * z, a * y - b * x];

/** Undefined for what has no direction. */
export function unit(a: Vector): Vector | undefined {
  const length = Math.hypot(...a);
  return length > 0 ? scaled(a, 1 / length) : undefined;
}

export function times([a, b, c, d]: Quaternion, [x, y, z, w]: Quaternion): Quaternion {
  return [
    d * x + a * w + b * z - c * y,
    d * y - a * z + b * w + c * x,
    d * z + a * y - b * x + c * w,
    d * w - a * x - b * y - c * z,
  ];
}

export function turn(q: Quaternion, v: Vector): Vector {
  const u: Vector = [q[0], q[1], q[2]];
  const t = scaled(cross(u, v), 2);
  return plus(v, plus(scaled(t, q[3]), cross(u, t)));
}

/** A pose in the axes that `outer` is given in. */
export const within = (outer: Pose, inner: Pose): Pose => ({
  position: plus(outer.position, turn(outer.orientation, inner.position)),
  orientation: times(outer.orientation, inner.orientation),
});

/** About an axis of length 1. */
export const about = (axis: Vector, angle: number): Quaternion => [
  ...scaled(axis, Math.sin(angle / 2)),
  Math.cos(angle / 2),
];

/** URDF's: about the fixed axes x, then y, then z. */
export const ofRollPitchYaw = ([roll, pitch, yaw]: Vector): Quaternion =>
  times(about([0, 0, 1], yaw), times(about([0, 1, 0], pitch), about([1, 0, 0], roll)));

/** Turns z to a direction of length 1 by the shortest way. */
export function fromZ(direction: Vector): Quaternion {
  const [x, y, z] = direction;
  if (z < -1 + 1e-12) return [1, 0, 0, 0];
  const w = Math.sqrt((1 + z) / 2);
  return [-y / (2 * w), x / (2 * w), 0, w];
}

/** Of the rotation whose columns are these, orthonormal and right-handed (Shepperd 1978). */
export function ofAxes(x: Vector, y: Vector, z: Vector): Quaternion {
  const squares = [1 + x[0] - y[1] - z[2], 1 - x[0] + y[1] - z[2], 1 - x[0] - y[1] + z[2], 1 + x[0] + y[1] + z[2]];
  const k = squares.indexOf(Math.max(...squares));
  const r = 2 * Math.sqrt(squares[k]);
  const [a, b, c] = [(y[2] - z[1]) / r, (z[0] - x[2]) / r, (x[1] - y[0]) / r];
  const [ab, ac, bc] = [(x[1] + y[0]) / r, (x[2] + z[0]) / r, (y[2] + z[1]) / r];
  const q = r / 4;
  const found: readonly Quaternion[] = [
    [q, ab, ac, a],
    [ab, q, bc, b],
    [ac, bc, q, c],
    [a, b, c, q],
  ];
  return found[k];
}

/** R A R^T of a 3 x 3 matrix, row by row. */
export function turnTensor(q: Quaternion, tensor: readonly number[]): number[] {
  const columns = [turn(q, [1, 0, 0]), turn(q, [0, 1, 0]), turn(q, [0, 0, 1])];
  return Array.from({ length: 9 }, (_, k) => {
    const [i, j] = [Math.floor(k / 3), k % 3];
    let sum = 0;
    for (let a = 0; a < 3; a++) for (let b = 0; b < 3; b++) sum += columns[a][i] * tensor[3 * a + b] * columns[b][j];
    return sum;
  });
}
