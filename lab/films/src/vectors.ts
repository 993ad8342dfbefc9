/** Vector (x, y, z); y is up. */
export type Vector = readonly [number, number, number];
/** Unit quaternion (x, y, z, w). */
export type Quaternion = readonly [number, number, number, number];

export const add = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const scale = (a: Vector, s: number): Vector => [s * a[0], s * a[1], s * a[2]];
export const subtract = (a: Vector, b: Vector): Vector => add(a, scale(b, -1));
export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const unit = (a: Vector): Vector => scale(a, 1 / Math.hypot(...a));
/** Returns a + s b. */
export const along = (a: Vector, b: Vector, s: number): Vector => add(a, scale(b, s));

export function turn(axis: Vector, angle: number): Quaternion {
  const [x, y, z] = scale(unit(axis), Math.sin(angle / 2));
  return [x, y, z, Math.cos(angle / 2)];
}

/** Returns the product a b of two rotations: first b, then a. */
export function compose(a: Quaternion, b: Quaternion): Quaternion {
  const [u, v]: Vector[] = [
    [a[0], a[1], a[2]],
    [b[0], b[1], b[2]],
  ];
  const [x, y, z] = add(add(scale(v, a[3]), scale(u, b[3])), cross(u, v));
  return [x, y, z, a[3] * b[3] - dot(u, v)];
}

export function rotate(q: Quaternion, p: Vector): Vector {
  const [x, y, z] = compose(compose(q, [...p, 0]), [-q[0], -q[1], -q[2], q[3]]);
  return [x, y, z];
}
