import { add, cross, norm, normalize, rowsOf, symmetricInverse, transform, type Vector } from '@gradsim/base';

/** Number of power iterations for the largest eigenvalue. */
const POWER_ITERATIONS = 30;

/**
 * Returns the ratio of a body point's mobility to that of all of its mass, in the direction where it is largest: the
 * largest eigenvalue of 1 + [r]^T J^-1 [r], with r the point from the centre of mass, m, and J the inertia over mass,
 * row by row, m^2. A spring of stiffness k that holds the point moves the body with w^2 up to that times k / m. At
 * least 1; equal to 1 for the centre of mass.
 *
 * ```ts
 * // At the end of a rod of 1 m, across: 1 + 0.5^2 / (1 / 12) = 4.
 * pointMobilityRatio([1e-6, 0, 0, 0, 1 / 12, 0, 0, 0, 1 / 12], [0.5, 0, 0]);
 * ```
 */
export function pointMobilityRatio(inertiaPerMass: ArrayLike<number>, point: ArrayLike<number>): number {
  const inverse = symmetricInverse(rowsOf(inertiaPerMass));
  let [x, value]: [Vector, number] = [[0.6, 0.64, 0.48], 1];
  for (let round = 0; round < POWER_ITERATIONS; round++) {
    const next = add(x, cross(transform(inverse, cross(point, x)), point));
    value = norm(next);
    x = normalize(next);
  }
  return value;
}
