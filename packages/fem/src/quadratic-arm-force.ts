import { kernel, norm, transpose } from '@gradsim/core';
import { memoise } from '@gradsim/dynamics';
import { Particle } from '@gradsim/particles';
import { armStress, nextPastStrain, QuadraticTetArm, springStrain } from './maxwell-arm.ts';
import { REST_FIELDS, restShapeAt } from './quadratic-force.ts';
import { atPoints, jacobians, jacobiansTransposed, shapeGradients } from './quadratic-shape.ts';
import { QuadraticTet } from './quadratic-tet.ts';

const PAST_STRAIN_READS = {
  past0: QuadraticTetArm.past0,
  past1: QuadraticTetArm.past1,
  past2: QuadraticTetArm.past2,
  past3: QuadraticTetArm.past3,
} as const;

const ARM_READS = {
  element: QuadraticTetArm.element,
  nodes: QuadraticTetArm.nodes,
  relaxationTime: QuadraticTetArm.relaxationTime,
  position: Particle.position,
  ...PAST_STRAIN_READS,
  ...REST_FIELDS,
} as const;

/**
 * Adds the force of a Maxwell arm to the nodes of its quadratic tetrahedron
 *
 * @param led the substep that led to the state: that of the kernel, if forces are evaluated at its end.
 */
export const quadraticTetArmForce = memoise((arms: typeof QuadraticTetArm, led: 'dt' | 'previousDt') =>
  kernel(
    'quadraticTetArmForce',
    {
      domain: arms,
      reads: { ...ARM_READS, ratio: QuadraticTetArm.ratio, mu: QuadraticTet.mu },
      adds: { force: Particle.force },
    },
    ({ element, nodes, relaxationTime, ratio, position, mu, force, past0, past1, past2, past3, ...rest }, moment) => {
      const { inverses, volumes } = restShapeAt(rest, element);
      const past = [past0, past1, past2, past3];
      const shapes = jacobians((k) => position.at(nodes[k]));
      const material = { mu: mu.at(element), ratio, relaxationTime };
      const H = atPoints((q) => {
        const F = shapes[q].mul(inverses[q]);
        const P = armStress(F, springStrain(F, past[q], relaxationTime, moment[led]), material);
        return P.mul(transpose(inverses[q])).mul(volumes[q].neg());
      });
      jacobiansTransposed(H).forEach((f, k) => force.add(nodes[k], f));
    },
  ),
);

/** Relaxes a Maxwell arm by a substep, from the shape in which the last forces were evaluated. */
export const relaxQuadraticTetArm = memoise(() =>
  kernel(
    'relaxQuadraticTetArm',
    { domain: QuadraticTetArm, reads: ARM_READS, writes: PAST_STRAIN_READS },
    ({ element, nodes, relaxationTime, position, past0, past1, past2, past3, ...rest }, moment) => {
      const { inverses } = restShapeAt(rest, element);
      const past = [past0, past1, past2, past3];
      const shapes = jacobians((k) => position.at(nodes[k]));
      const [next0, next1, next2, next3] = atPoints((q) =>
        nextPastStrain(shapes[q].mul(inverses[q]), past[q], relaxationTime, moment),
      );
      return { past0: next0, past1: next1, past2: next2, past3: next3 };
    },
  ),
);

/** Contribution of a Maxwell arm to the stiffness around its nodes, with 2 G of the arm. */
export const stiffnessOfQuadraticTetArm = memoise(() =>
  kernel(
    'stiffnessOfQuadraticTetArm',
    {
      domain: QuadraticTetArm,
      reads: {
        element: QuadraticTetArm.element,
        nodes: QuadraticTetArm.nodes,
        ratio: QuadraticTetArm.ratio,
        ...REST_FIELDS,
        mu: QuadraticTet.mu,
      },
      adds: { stiffnessAround: Particle.stiffnessAround },
    },
    ({ element, nodes, ratio, mu, stiffnessAround, ...rest }) => {
      const { inverses, volumes } = restShapeAt(rest, element);
      const norms = shapeGradients(inverses).map((gradients) => gradients.map((b) => norm(b)));
      const weights = norms.map((of, q) => of.reduce((sum, b) => sum.add(b)).mul(volumes[q]));
      const modulus = mu
        .at(element)
        .mul(ratio)
        .mul(3 / 2);
      nodes.forEach((node, a) => {
        const share = weights.map((by, q) => by.mul(norms[q][a])).reduce((sum, term) => sum.add(term));
        stiffnessAround.add(node, share.mul(modulus));
      });
    },
  ),
);
