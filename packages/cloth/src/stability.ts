import type { F32 } from '@gradsim/core';
import { abs, kernel, norm, vec2 } from '@gradsim/core';
import { Particle, RestPosition } from '@gradsim/particles';
import { hinge, inverseOrZero } from './bending.ts';
import { Hinge, Triangle } from './components.ts';

/**
 * Contribution of a triangle's membrane to the stiffness and damping around its particles: as for a tetrahedron, blocks
 * of norm A (L + 2 G) |b_i| |b_j| and A 2 kd |b_i| |b_j|. The energy's second derivative at rest gives G = 2/3 mu and L
 * = lambda - 4/9 mu; actuation a adds at most lambda |a|.
 */
export const stiffnessOfTriangle = kernel(
  'stiffnessOfTriangle',
  {
    domain: Triangle,
    reads: {
      vertices: Triangle.vertices,
      restInverse: Triangle.restInverse,
      restArea: Triangle.restArea,
      mu: Triangle.mu,
      lambda: Triangle.lambda,
      damping: Triangle.damping,
      actuation: Triangle.actuation,
    },
    adds: { stiffnessAround: Particle.stiffnessAround, dampingAround: Particle.dampingAround },
  },
  ({ vertices, restInverse, restArea, mu, lambda, damping, actuation, ...sums }) => {
    const rows = [0, 1].map((i) => vec2(restInverse.entry(i, 0), restInverse.entry(i, 1)));
    const gradients = [rows[0].add(rows[1]), ...rows].map((b): F32 => norm(b));
    const all = gradients.reduce((sum, b) => sum.add(b));
    const modulus = lambda.mul(abs(actuation).add(1)).add(mu.mul(8 / 9));
    vertices.forEach((vertex, k) => {
      const share = restArea.mul(gradients[k]).mul(all);
      sums.stiffnessAround.add(vertex, share.mul(modulus));
      sums.dampingAround.add(vertex, share.mul(damping).mul(2));
    });
  },
);

/**
 * Contribution of a hinge to the stiffness and damping around its particles: its force along u_i changes with the angle
 * by at most kb |e|^2 / (|n1| + |n2|) / 2, so blocks have norm of that times |u_i| |u_j|, and kd |e| |u_i| |u_j| for
 * damping, with the hinge at rest.
 */
export const stiffnessOfHinge = kernel(
  'stiffnessOfHinge',
  {
    domain: Hinge,
    reads: {
      vertices: Hinge.vertices,
      restPosition: RestPosition.restPosition,
      stiffness: Hinge.stiffness,
      damping: Hinge.damping,
    },
    adds: { stiffnessAround: Particle.stiffnessAround, dampingAround: Particle.dampingAround },
  },
  ({ vertices, restPosition, stiffness, damping, stiffnessAround, dampingAround }) => {
    const { directions, length, heights } = hinge(vertices.map((vertex) => restPosition.at(vertex)));
    const lengths = directions.map((u): F32 => norm(u));
    const all = lengths.reduce((sum, u) => sum.add(u));
    const perAngle = stiffness.mul(length).mul(length).mul(inverseOrZero(heights)).mul(0.5);
    vertices.forEach((vertex, k) => {
      const share = lengths[k].mul(all);
      stiffnessAround.add(vertex, share.mul(perAngle));
      dampingAround.add(vertex, share.mul(damping).mul(length));
    });
  },
);
