import type { F32, Mat33, Vec3 } from '@gradsim/core';
import { determinant, dot, forRange, norm, vec3 } from '@gradsim/core';

/** Part by which the energy of free rotation may grow in a second. */
const MAX_ENERGY_GROWTH = 0.05;
/** Steps of the power iteration: an outer moment is then right to 1 % of itself, however near the middle one is. */
const POWER_ITERATIONS = 24;

/**
 * Least number of substeps a second for a spin. The gyroscopic term is explicit, so that every substep adds
 * dt^2 / 2 g . I^-1 g to the energy, g = w x I w: a relative growth of dt k a second, k = g . I^-1 g / (w . I w). With principal
 * moments a <= b <= c and shares e of the energy 2 E about their axes, k = 2 E Var(a, b, c) / (a b c), and the mean of the moments
 * under e, m = L^2 / 2 E, is kept by the motion: k <= 2 E (c - m) (m - a) / (a b c). It is 0 for bodies that spin about the axis
 * of their largest or smallest moment, and for those of three equal ones.
 *
 * @param w angular velocity, and `gyration`, inertia over mass, with its inverse, all in body axes.
 */
export function spinRateOf(w: Vec3, gyration: Mat33, inverseGyration: Mat33): F32 {
  const momentum = gyration.mul(w);
  const energy = dot(w, momentum).add(1e-30);
  const mean = dot(momentum, momentum).div(energy);
  // The largest moment, and the inverse of the smallest.
  const [most, inverseLeast] = [gyration, inverseGyration].map((m) =>
    norm(forRange(0, POWER_ITERATIONS, vec3(1, 2, 3), (_, v) => m.mul(v.div(norm(v))))),
  );
  // Below 0 by rounding alone, which limits nothing; without a spin 0.
  const width = most.sub(mean).mul(mean.mul(inverseLeast).sub(1));
  return energy.mul(width).div(determinant(gyration).mul(inverseLeast).mul(MAX_ENERGY_GROWTH));
}
