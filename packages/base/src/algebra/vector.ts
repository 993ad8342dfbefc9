/** A vector of three dimensions: x, y, z. */
export type Vector = readonly [number, number, number];

/** Vector number `k` of a flat list, in which x, y, z of each vector follow one another. */
export const vectorAt = (coordinates: ArrayLike<number>, k: number): Vector => [
  coordinates[3 * k],
  coordinates[3 * k + 1],
  coordinates[3 * k + 2],
];

/** Vector of the values that a function returns for the axes 0, 1 and 2. */
export const vectorOf = (coordinate: (axis: number) => number): Vector => [coordinate(0), coordinate(1), coordinate(2)];

export const add = (a: ArrayLike<number>, b: ArrayLike<number>): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];

export const subtract = (a: ArrayLike<number>, b: ArrayLike<number>): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

export const scale = (a: ArrayLike<number>, factor: number): Vector => [a[0] * factor, a[1] * factor, a[2] * factor];

export const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

export const cross = (a: ArrayLike<number>, b: ArrayLike<number>): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Length of a vector. */
export const norm = (a: ArrayLike<number>): number => Math.hypot(a[0], a[1], a[2]);

/** The vector of length 1 in the same direction; NaN for the zero vector. */
export function normalize(a: ArrayLike<number>): Vector {
  const length = norm(a);
  return [a[0] / length, a[1] / length, a[2] / length];
}
