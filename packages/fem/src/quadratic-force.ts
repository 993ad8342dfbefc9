import type { F32, Mat33, U32 } from '@gradsim/core';
import { determinant, inverse, kernel, min, transpose } from '@gradsim/core';
import { memoise } from '@gradsim/dynamics';
import { Particle, RestPosition } from '@gradsim/particles';
import { dampingStress, restVolumeRatio, shearEnergy, stressWithPressure } from './force.ts';
import type { AtPoints } from './quadratic-shape.ts';
import { atPoints, jacobians, jacobiansTransposed, massShare } from './quadratic-shape.ts';
import { QuadraticTet } from './quadratic-tet.ts';

const sumOfTerms = (terms: readonly F32[]): F32 => terms.reduce((total, term) => total.add(term));

/** Fields of the rest shape: one kernel writes them, the others read them. */
export const REST_FIELDS = {
  restInverse0: QuadraticTet.restInverse0,
  restInverse1: QuadraticTet.restInverse1,
  restInverse2: QuadraticTet.restInverse2,
  restInverse3: QuadraticTet.restInverse3,
  restVolume0: QuadraticTet.restVolume0,
  restVolume1: QuadraticTet.restVolume1,
  restVolume2: QuadraticTet.restVolume2,
  restVolume3: QuadraticTet.restVolume3,
} as const;

/**
 * Computes rest shape and mass once per run: dxi/dX and the volume at each quadrature point, and each node's share of
 * the mass.
 */
export const restOfQuadraticTet = memoise(() =>
  kernel(
    'restOfQuadraticTet',
    {
      domain: QuadraticTet,
      reads: {
        nodes: QuadraticTet.nodes,
        restPosition: RestPosition.restPosition,
        density: QuadraticTet.density,
      },
      writes: REST_FIELDS,
      adds: { totalMass: Particle.totalMass },
    },
    ({ nodes, restPosition, density, totalMass }) => {
      const shapes = jacobians((k) => restPosition.at(nodes[k]));
      const volumes = atPoints((q) => determinant(shapes[q]).div(24));
      const mass = density.mul(sumOfTerms(volumes));
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
  ),
);

type RestFields = { readonly [q in 0 | 1 | 2 | 3 as `restInverse${q}`]: Mat33 } & {
  readonly [q in 0 | 1 | 2 | 3 as `restVolume${q}`]: F32;
};

/** Returns the rest shape at the quadrature points: dxi/dX and the rest volumes. */
export function restShapeOf(rest: RestFields): { inverses: AtPoints<Mat33>; volumes: AtPoints<F32> } {
  return {
    inverses: [rest.restInverse0, rest.restInverse1, rest.restInverse2, rest.restInverse3],
    volumes: [rest.restVolume0, rest.restVolume1, rest.restVolume2, rest.restVolume3],
  };
}

/** Returns {@link restShapeOf} of an element of another domain's index. */
export function restShapeAt(
  rest: { readonly [K in keyof RestFields]: { at(index: U32): RestFields[K] } },
  element: U32,
): ReturnType<typeof restShapeOf> {
  return restShapeOf({
    restInverse0: rest.restInverse0.at(element),
    restInverse1: rest.restInverse1.at(element),
    restInverse2: rest.restInverse2.at(element),
    restInverse3: rest.restInverse3.at(element),
    restVolume0: rest.restVolume0.at(element),
    restVolume1: rest.restVolume1.at(element),
    restVolume2: rest.restVolume2.at(element),
    restVolume3: rest.restVolume3.at(element),
  });
}

/** Ratio kappa / mu, 11/8: in a material of Poisson's ratio 1/4, G = L, so that lambda = (3/4 + 5/8) mu. */
const KAPPA = 11 / 8;

/**
 * J at each quadrature point, and its mean over the element. The mean change of volume of an element is resisted with
 * lambda, but variations of it within the element with kappa, at most that of a material of Poisson's ratio 1/4:
 *
 *   sum_q V_q (psi without J at q + kappa/2 (J_q - Jm)^2) + V lambda/2 (Jm - alpha)^2, Jm = sum_q V_q J_q / V.
 *
 * With lambda at every point, elements of a nearly incompressible material have as many volume constraints as degrees
 * of freedom, and lock (mean dilatation: Nagtegaal, Parks, Rice 1974; Hughes 1980). Up to Poisson's ratio 1/4 these are
 * the usual quadratic elements. Kappa above 5/8 mu prevents negative energy of motions that swell one end of an element
 * and shrink the other: the stress at rest of the part without J is balanced by that of J.
 */
function volumeChange(jacobian: AtPoints<Mat33>, volumes: AtPoints<F32>, mu: F32, lambda: F32) {
  const J = atPoints((q) => determinant(jacobian[q]));
  const mean = sumOfTerms(J.map((at, q) => at.mul(volumes[q]))).div(sumOfTerms(volumes));
  return { J, mean, kappa: min(lambda, mu.mul(KAPPA)) };
}

/**
 * Adds the forces of a quadratic tetrahedron to its nodes a: minus the sum over quadrature points of V P (dxi/dX)^T
 * dN_a/dxi.
 */
export const quadraticTetForce = memoise(() =>
  kernel(
    'quadraticTetForce',
    {
      domain: QuadraticTet,
      reads: {
        nodes: QuadraticTet.nodes,
        position: Particle.position,
        velocity: Particle.velocity,
        ...REST_FIELDS,
        mu: QuadraticTet.mu,
        lambda: QuadraticTet.lambda,
        damping: QuadraticTet.damping,
        actuation: QuadraticTet.actuation,
      },
      adds: { force: Particle.force },
    },
    ({ nodes, position, velocity, mu, lambda, damping, actuation, force, ...rest }) => {
      const { inverses, volumes } = restShapeOf(rest);
      const shapes = jacobians((k) => position.at(nodes[k]));
      const rates = jacobians((k) => velocity.at(nodes[k]));
      const F = atPoints((q) => shapes[q].mul(inverses[q]));
      const { mean, kappa } = volumeChange(F, volumes, mu, lambda);
      const inMean = lambda.mul(mean.sub(restVolumeRatio({ mu, lambda, actuation })));
      const H = atPoints((q) => {
        const rate = rates[q].mul(inverses[q]);
        const elastic = stressWithPressure(F[q], mu, (J) => inMean.add(kappa.mul(J.sub(mean))));
        const P = elastic.add(dampingStress(F[q], rate, damping));
        return P.mul(transpose(inverses[q])).mul(volumes[q].neg());
      });
      jacobiansTransposed(H).forEach((f, k) => force.add(nodes[k], f));
    },
  ),
);

/** Computes the elastic energy of each quadratic tetrahedron, J; for diagnostics and tests, in phase `observe`. */
export const quadraticTetEnergy = kernel(
  'quadraticTetEnergy',
  {
    domain: QuadraticTet,
    reads: {
      nodes: QuadraticTet.nodes,
      position: Particle.position,
      ...REST_FIELDS,
      mu: QuadraticTet.mu,
      lambda: QuadraticTet.lambda,
      actuation: QuadraticTet.actuation,
    },
    writes: { energy: QuadraticTet.energy },
  },
  ({ nodes, position, mu, lambda, actuation, ...rest }) => {
    const { inverses, volumes } = restShapeOf(rest);
    const shapes = jacobians((k) => position.at(nodes[k]));
    const F = atPoints((q) => shapes[q].mul(inverses[q]));
    const { J, mean, kappa } = volumeChange(F, volumes, mu, lambda);
    const away = mean.sub(restVolumeRatio({ mu, lambda, actuation }));
    const inMean = lambda.mul(0.5).mul(away).mul(away);
    const energies = atPoints((q) => {
      const differs = J[q].sub(mean);
      const psi = shearEnergy(F[q], mu).add(kappa.mul(0.5).mul(differs).mul(differs)).add(inMean);
      return psi.mul(volumes[q]);
    });
    return { energy: sumOfTerms(energies) };
  },
);
