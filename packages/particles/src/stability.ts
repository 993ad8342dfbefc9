import { kernel, sqrt } from '@gradsim/core';
import { Particle } from './particle.ts';

/**
 * Minimum number of substeps per second for which the motion around a particle stays bounded.
 *
 * With stiffness matrix K, damping matrix C and masses M, a motion along a vector x has w^2 = x.Kx / x.Mx and c = x.Cx
 * / x.Mx. Semi-implicit Euler with explicit damping maps (x, v) by a matrix of determinant 1 - c dt and trace 2 - c dt
 * - w^2 dt^2, which is stable where w^2 dt^2 + 2 c dt < 4, that is, for 1/dt > (c + sqrt(c^2 + 4 w^2)) / 4. By
 * Gershgorin's theorem, w^2 and c are at most the largest sum of the norms of the 3 x 3 blocks in a row of K and C,
 * over the mass: `stiffnessAround` and `dampingAround` are these sums.
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
    const c = dampingAround.mul(inverseMass);
    const squareW = stiffnessAround.mul(inverseMass);
    return { leastRate: c.add(sqrt(c.mul(c).add(squareW.mul(4)))).mul(0.25) };
  },
);
