import type { F32 } from '@gradsim/core';
import { max, sqrt } from '@gradsim/core';

/**
 * Least number of substeps per second with which an oscillation stays bounded, (c + sqrt(c^2 + 4 w^2)) / 4.
 *
 * Semi-implicit Euler with explicit damping maps position and velocity by a matrix of determinant 1 - c dt and trace
 * 2 - c dt - w^2 dt^2, which is stable where w^2 dt^2 + 2 c dt < 4.
 *
 * ```ts
 * ({ stiffness, damping, mass }) => ({ rate: leastRateOf(damping.div(mass), stiffness.div(mass)) })
 * ```
 * @param c damping over mass, 1/s.
 * @param square stiffness over mass w^2, 1/s^2; one below 0, which drives away, counts as 0 where it outweighs the damping.
 */
export const leastRateOf = (c: F32, square: F32): F32 => c.add(sqrt(max(c.mul(c).add(square.mul(4)), 0))).mul(0.25);
