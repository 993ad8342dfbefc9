import type { Vec3 } from '@gradsim/core';
import { kernel, norm, transpose } from '@gradsim/core';
import { memoise } from '@gradsim/dynamics';
import { Particle } from '@gradsim/particles';
import { edgeMatrix } from './force.ts';
import { armStress, nextPastStrain, springStrain, TetArm } from './maxwell-arm.ts';
import { gradientsOf } from './stability.ts';
import { Tet } from './tet.ts';

const ARM_READS = {
  element: TetArm.element,
  vertices: TetArm.vertices,
  relaxationTime: TetArm.relaxationTime,
  position: Particle.position,
  restInverse: Tet.restInverse,
  past: TetArm.past,
} as const;

/**
 * Adds the force of a Maxwell arm to the particles of its tetrahedron
 *
 * @param led the substep that led to the state: that of the kernel, if forces are evaluated at its end.
 */
export const tetArmForce = memoise((arms: typeof TetArm, led: 'dt' | 'previousDt') =>
  kernel(
    'tetArmForce',
    {
      domain: arms,
      reads: { ...ARM_READS, ratio: TetArm.ratio, restVolume: Tet.restVolume, mu: Tet.mu },
      adds: { force: Particle.force },
    },
    ({ element, vertices, relaxationTime, ratio, position, past, force, ...of }, moment) => {
      const restInverse = of.restInverse.at(element);
      const F = edgeMatrix((k) => position.at(vertices[k])).mul(restInverse);
      const q = springStrain(F, past, relaxationTime, moment[led]);
      const P = armStress(F, q, { mu: of.mu.at(element), ratio, relaxationTime });
      const H = P.mul(transpose(restInverse)).mul(of.restVolume.at(element).neg());
      const [h1, h2, h3] = [0, 1, 2].map((k) => H.column(k) as Vec3);
      [h1.add(h2).add(h3).neg(), h1, h2, h3].forEach((f, k) => force.add(vertices[k], f));
    },
  ),
);

/** Relaxes a Maxwell arm by a substep, from the shape in which the last forces were evaluated. */
export const relaxTetArm = memoise(() =>
  kernel(
    'relaxTetArm',
    { domain: TetArm, reads: ARM_READS, writes: { past: TetArm.past } },
    ({ element, vertices, relaxationTime, position, restInverse, past }, moment) => {
      const F = edgeMatrix((k) => position.at(vertices[k])).mul(restInverse.at(element));
      return { past: nextPastStrain(F, past, relaxationTime, moment) };
    },
  ),
);

/** Contribution of a Maxwell arm to the stiffness around its particles: that of `stiffnessOfTet`, with 2 G of the arm. */
export const stiffnessOfTetArm = memoise(() =>
  kernel(
    'stiffnessOfTetArm',
    {
      domain: TetArm,
      reads: {
        element: TetArm.element,
        vertices: TetArm.vertices,
        ratio: TetArm.ratio,
        restInverse: Tet.restInverse,
        restVolume: Tet.restVolume,
        mu: Tet.mu,
      },
      adds: { stiffnessAround: Particle.stiffnessAround },
    },
    ({ element, vertices, ratio, restInverse, restVolume, mu, stiffnessAround }) => {
      const gradients = gradientsOf(restInverse.at(element)).map((b) => norm(b));
      const all = gradients.reduce((sum, b) => sum.add(b));
      const modulus = mu
        .at(element)
        .mul(ratio)
        .mul(3 / 2)
        .mul(restVolume.at(element));
      vertices.forEach((vertex, k) => stiffnessAround.add(vertex, gradients[k].mul(all).mul(modulus)));
    },
  ),
);
