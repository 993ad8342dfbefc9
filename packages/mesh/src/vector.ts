/** A point or a vector: x, y, z. */
export type Vector = readonly [number, number, number];
/** x, y, z, as callers have them. */
export type Point = ArrayLike<number>;

/** A vertex of a mesh. */
export const pointOf = (positions: ArrayLike<number>, vertex: number): Vector => [
  positions[3 * vertex],
  positions[3 * vertex + 1],
  positions[3 * vertex + 2],
];
export const minus = (a: Point, b: Point): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Point, b: Point): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const norm = (a: Point): number => Math.hypot(a[0], a[1], a[2]);
