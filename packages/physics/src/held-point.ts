type Vec = readonly [number, number, number];

const cross = ([a, b, c]: Vec, [x, y, z]: Vec): Vec => [b * z - c * y, c * x - a * z, a * y - b * x];
const dot = ([a, b, c]: Vec, [x, y, z]: Vec): number => a * x + b * y + c * z;

const ROUNDS = 30;

/**
 * How much more easily than all of its mass a point of a body gives way, in the direction in which it does most: the largest
 * eigenvalue of 1 + [r]^T J^-1 [r], with r the point from the centre of mass, m, and J the inertia over mass, row by row, m^2. A
 * spring of stiffness k that holds the point moves the body with w^2 up to that times k / m. At least 1, for a point in the centre.
 *
 * ```ts
 * // At the end of a rod of 1 m, across: 1 + 0.5^2 / (1 / 12) = 4.
 * heldPoint([1e-6, 0, 0, 0, 1 / 12, 0, 0, 0, 1 / 12], [0.5, 0, 0]);
 * ```
 */
export function heldPoint(inertiaPerMass: ArrayLike<number>, point: ArrayLike<number>): number {
  const inverse = symmetricInverse(inertiaPerMass);
  const r: Vec = [point[0], point[1], point[2]];
  let [x, value]: [Vec, number] = [[0.6, 0.64, 0.48], 1];
  for (let round = 0; round < ROUNDS; round++) {
    const turn = cross(r, x);
    const spin: Vec = [dot(inverse[0], turn), dot(inverse[1], turn), dot(inverse[2], turn)];
    const [a, b, c] = cross(spin, r);
    const next: Vec = [x[0] + a, x[1] + b, x[2] + c];
    value = Math.hypot(...next);
    x = [next[0] / value, next[1] / value, next[2] / value];
  }
  return value;
}

/** The rows of the inverse of a symmetric matrix, given row by row. */
export function symmetricInverse(m: ArrayLike<number>): readonly [Vec, Vec, Vec] {
  const [a, b, c] = [0, 1, 2].map((i): Vec => [m[3 * i], m[3 * i + 1], m[3 * i + 2]]);
  const across = cross(b, c);
  const determinant = dot(a, across);
  const over = ([x, y, z]: Vec): Vec => [x / determinant, y / determinant, z / determinant];
  return [over(across), over(cross(c, a)), over(cross(a, b))];
}
