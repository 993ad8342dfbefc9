import { kernel } from '@gradsim/core';
import { Particle } from '@gradsim/particles';
import { Spring } from './spring.ts';

/**
 * Contribution of a spring to the stiffness and damping around its particles: a row of its matrix has two blocks, of
 * norm ks (along the spring; across it, 1 - l0 / l of that) and kd.
 */
export const stiffnessOfSpring = kernel(
  'stiffnessOfSpring',
  {
    domain: Spring,
    reads: { ends: Spring.ends, stiffness: Spring.stiffness, damping: Spring.damping },
    adds: { stiffnessAround: Particle.stiffnessAround, dampingAround: Particle.dampingAround },
  },
  ({ ends, stiffness, damping, stiffnessAround, dampingAround }) => {
    for (const end of ends) {
      stiffnessAround.add(end, stiffness.mul(2));
      dampingAround.add(end, damping.mul(2));
    }
  },
);
