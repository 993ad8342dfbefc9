import type { Quaternion, Vector } from './poses.ts';

/** The product of two quaternions. */
export function times([x, y, z, w]: Quaternion, [a, b, c, d]: Quaternion): number[] {
  return [
    w * a + x * d + y * c - z * b,
    w * b - x * c + y * d + z * a,
    w * c + x * b - y * a + z * d,
    w * d - x * a - y * b - z * c,
  ];
}

/** A rotation vector as a quaternion. */
export function ofVector(r: Vector): number[] {
  const angle = Math.hypot(...r);
  const factor = angle < 1e-9 ? 0.5 : Math.sin(angle / 2) / angle;
  return [...r.map((c) => factor * c), Math.cos(angle / 2)];
}

/** An orientation after a turn about a vector of the world. */
export const turned = (q: Quaternion, r: Vector): number[] => times(ofVector(r), q);

/** A vector of the body in world axes. */
export function toWorld(q: Quaternion, v: Vector): number[] {
  const length = q.reduce((sum, c) => sum + c * c, 0);
  return times(times(q, [...v, 0]), [-q[0], -q[1], -q[2], q[3]])
    .slice(0, 3)
    .map((c) => c / length);
}
/** A vector of the world in body axes. */
export const toBody = (q: Quaternion, v: Vector): number[] => toWorld([-q[0], -q[1], -q[2], q[3]], v);

export const cross = (a: Vector, b: Vector): number[] =>
  [0, 1, 2].map((k) => a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]);
