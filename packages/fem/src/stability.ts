import type { F32, Mat33, Vec3 } from '@gradsim/core';
import { abs, kernel, norm, vec3 } from '@gradsim/core';
import { Particle } from '@gradsim/particles';
import { Tet } from './tet.ts';

/** Gradients b_i of the shape functions of a tetrahedron, 1/m: rows of Dm^-1, after minus their sum. */
export function gradientsOf(restInverse: Mat33): Vec3[] {
  const rows = [0, 1, 2].map((i) => vec3(restInverse.entry(i, 0), restInverse.entry(i, 1), restInverse.entry(i, 2)));
  return [rows.reduce((sum: Vec3, row) => sum.add(row)).neg(), ...rows];
}

/**
 * Contribution of a tetrahedron to the stiffness and damping around its particles. With b_i the gradients of its shape
 * functions (rows of Dm^-1, and minus their sum), block i j of its stiffness at rest is V (G (b_i.b_j) 1 + G b_j b_i^T
 * + L b_i b_j^T), of norm at most V (L + 2 G) |b_i| |b_j|, where the energy's second derivative at rest gives G = 3/4
 * mu and L = lambda - 5/8 mu; actuation a adds at most lambda |a|. Damping, in the same way, has V 2 kd |b_i| |b_j|.
 */
export const stiffnessOfTet = kernel(
  'stiffnessOfTet',
  {
    domain: Tet,
    reads: {
      vertices: Tet.vertices,
      restInverse: Tet.restInverse,
      restVolume: Tet.restVolume,
      mu: Tet.mu,
      lambda: Tet.lambda,
      damping: Tet.damping,
      actuation: Tet.actuation,
    },
    adds: { stiffnessAround: Particle.stiffnessAround, dampingAround: Particle.dampingAround },
  },
  ({ vertices, restInverse, restVolume, mu, lambda, damping, actuation, ...sums }) => {
    const gradients = gradientsOf(restInverse).map((b): F32 => norm(b));
    const all = gradients.reduce((sum, b) => sum.add(b));
    const modulus = lambda.mul(abs(actuation).add(1)).add(mu.mul(7 / 8));
    vertices.forEach((vertex, k) => {
      const share = restVolume.mul(gradients[k]).mul(all);
      sums.stiffnessAround.add(vertex, share.mul(modulus));
      sums.dampingAround.add(vertex, share.mul(damping).mul(2));
    });
  },
);
