import type { F32, Mat33 } from '@gradsim/core';
import { determinant, inverse, kernel, transpose } from '@gradsim/core';
import { Particle, RestPosition } from '@gradsim/particles';
import { dampingStress, elasticStress, energyDensity } from './force.ts';
import type { AtPoints } from './quadratic-shape.ts';
import { atPoints, jacobians, massShare, scatter } from './quadratic-shape.ts';
import { QuadraticTet } from './quadratic-tet.ts';

const sum = (terms: readonly F32[]): F32 => terms.reduce((total, term) => total.add(term));

/** Rest shape and mass, once a run: dxi/dX and the volume at each point of quadrature, and the nodes' shares of the mass. */
export const restOfQuadraticTet = kernel(
  'restOfQuadraticTet',
  {
    domain: QuadraticTet,
    reads: {
      nodes: QuadraticTet.nodes,
      restPosition: RestPosition.restPosition,
      density: QuadraticTet.density,
    },
    writes: {
      restInverse0: QuadraticTet.restInverse0,
      restInverse1: QuadraticTet.restInverse1,
      restInverse2: QuadraticTet.restInverse2,
      restInverse3: QuadraticTet.restInverse3,
      restVolume0: QuadraticTet.restVolume0,
      restVolume1: QuadraticTet.restVolume1,
      restVolume2: QuadraticTet.restVolume2,
      restVolume3: QuadraticTet.restVolume3,
    },
    adds: { totalMass: Particle.totalMass },
  },
  ({ nodes, restPosition, density, totalMass }) => {
    const shapes = jacobians((k) => restPosition.at(nodes[k]));
    const volumes = atPoints((q) => determinant(shapes[q]).div(24));
    const mass = density.mul(sum(volumes));
    nodes.forEach((node, k) => totalMass.add(node, mass.mul(massShare(k))));
    return {
      restInverse0: inverse(shapes[0]),
      restInverse1: inverse(shapes[1]),
      restInverse2: inverse(shapes[2]),
      restInverse3: inverse(shapes[3]),
      restVolume0: volumes[0],
      restVolume1: volumes[1],
      restVolume2: volumes[2],
      restVolume3: volumes[3],
    };
  },
);

/** The rest shape, as kernels read it. */
export const REST = {
  restInverse0: QuadraticTet.restInverse0,
  restInverse1: QuadraticTet.restInverse1,
  restInverse2: QuadraticTet.restInverse2,
  restInverse3: QuadraticTet.restInverse3,
  restVolume0: QuadraticTet.restVolume0,
  restVolume1: QuadraticTet.restVolume1,
  restVolume2: QuadraticTet.restVolume2,
  restVolume3: QuadraticTet.restVolume3,
} as const;

type Rest = { readonly [q in 0 | 1 | 2 | 3 as `restInverse${q}`]: Mat33 } & {
  readonly [q in 0 | 1 | 2 | 3 as `restVolume${q}`]: F32;
};

/** The rest shape at the points of quadrature. */
export function restOf(rest: Rest): { inverses: AtPoints<Mat33>; volumes: AtPoints<F32> } {
  return {
    inverses: [rest.restInverse0, rest.restInverse1, rest.restInverse2, rest.restInverse3],
    volumes: [rest.restVolume0, rest.restVolume1, rest.restVolume2, rest.restVolume3],
  };
}

/** Forces of a quadratic tetrahedron on its nodes: minus the sum over points of V P (dxi/dX)^T dN_a/dxi. */
export const quadraticTetForce = kernel(
  'quadraticTetForce',
  {
    domain: QuadraticTet,
    reads: {
      nodes: QuadraticTet.nodes,
      position: Particle.position,
      velocity: Particle.velocity,
      ...REST,
      mu: QuadraticTet.mu,
      lambda: QuadraticTet.lambda,
      damping: QuadraticTet.damping,
      actuation: QuadraticTet.actuation,
    },
    adds: { force: Particle.force },
  },
  ({ nodes, position, velocity, mu, lambda, damping, actuation, force, ...rest }) => {
    const { inverses, volumes } = restOf(rest);
    const shapes = jacobians((k) => position.at(nodes[k]));
    const rates = jacobians((k) => velocity.at(nodes[k]));
    const material = { mu, lambda, actuation };
    const H = atPoints((q) => {
      const F = shapes[q].mul(inverses[q]);
      const rate = rates[q].mul(inverses[q]);
      const P = elasticStress(F, material).add(dampingStress(F, rate, damping));
      return P.mul(transpose(inverses[q])).mul(volumes[q].neg());
    });
    scatter(H).forEach((f, k) => force.add(nodes[k], f));
  },
);

/** Elastic energy of each quadratic tetrahedron, J; for diagnostics and tests, in phase `observe`. */
export const quadraticTetEnergy = kernel(
  'quadraticTetEnergy',
  {
    domain: QuadraticTet,
    reads: {
      nodes: QuadraticTet.nodes,
      position: Particle.position,
      ...REST,
      mu: QuadraticTet.mu,
      lambda: QuadraticTet.lambda,
      actuation: QuadraticTet.actuation,
    },
    writes: { energy: QuadraticTet.energy },
  },
  ({ nodes, position, mu, lambda, actuation, ...rest }) => {
    const { inverses, volumes } = restOf(rest);
    const shapes = jacobians((k) => position.at(nodes[k]));
    const energies = atPoints((q) =>
      energyDensity(shapes[q].mul(inverses[q]), { mu, lambda, actuation }).mul(volumes[q]),
    );
    return { energy: sum(energies) };
  },
);
