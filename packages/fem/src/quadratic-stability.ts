import { abs, kernel, norm } from '@gradsim/core';
import { memoise } from '@gradsim/dynamics';
import { Particle } from '@gradsim/particles';
import { REST_FIELDS, restShapeOf } from './quadratic-force.ts';
import { shapeGradients } from './quadratic-shape.ts';
import { QuadraticTet } from './quadratic-tet.ts';

/**
 * Contribution of a quadratic tetrahedron to the stiffness and damping around its nodes: that of `stiffnessOfTet`, with
 * the gradients b_a of its shape functions at each quadrature point, summed over the points.
 */
export const stiffnessOfQuadraticTet = memoise(() =>
  kernel(
    'stiffnessOfQuadraticTet',
    {
      domain: QuadraticTet,
      reads: {
        nodes: QuadraticTet.nodes,
        ...REST_FIELDS,
        mu: QuadraticTet.mu,
        lambda: QuadraticTet.lambda,
        damping: QuadraticTet.damping,
        actuation: QuadraticTet.actuation,
      },
      adds: { stiffnessAround: Particle.stiffnessAround, dampingAround: Particle.dampingAround },
    },
    ({ nodes, mu, lambda, damping, actuation, stiffnessAround, dampingAround, ...rest }) => {
      const { inverses, volumes } = restShapeOf(rest);
      const norms = shapeGradients(inverses).map((gradients) => gradients.map((b) => norm(b)));
      const weights = norms.map((of, q) => of.reduce((sum, b) => sum.add(b)).mul(volumes[q]));
      const modulus = lambda.mul(abs(actuation).add(1)).add(mu.mul(7 / 8));
      nodes.forEach((node, a) => {
        const share = weights.map((by, q) => by.mul(norms[q][a])).reduce((sum, term) => sum.add(term));
        stiffnessAround.add(node, share.mul(modulus));
        dampingAround.add(node, share.mul(damping).mul(2));
      });
    },
  ),
);
