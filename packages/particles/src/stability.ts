import { kernel } from '@gradsim/core';
import { leastRateOf } from '@gradsim/dynamics';
import { Particle } from './particle.ts';

/**
 * Minimum number of substeps per second for which the motion around a particle stays bounded.
 *
 * With stiffness matrix K, damping matrix C and masses M, a motion along a vector x has w^2 = x.Kx / x.Mx and c = x.Cx
 * / x.Mx. By Gershgorin's theorem, both are at most the largest sum of the norms of the 3 x 3 blocks in a row of K and
 * C, over the mass: `stiffnessAround` and `dampingAround` are these sums.
 */
export const leastRate = kernel(
  'leastRate',
  {
    domain: Particle,
    reads: {
      inverseMass: Particle.inverseMass,
      stiffnessAround: Particle.stiffnessAround,
      dampingAround: Particle.dampingAround,
    },
    writes: { leastRate: Particle.leastRate },
  },
  ({ inverseMass, stiffnessAround, dampingAround }) => {
    return { leastRate: leastRateOf(dampingAround.mul(inverseMass), stiffnessAround.mul(inverseMass)) };
  },
);
