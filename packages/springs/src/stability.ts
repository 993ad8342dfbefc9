import { f32, index, kernel, on } from '@gradsim/core';

/**
 * What a spring adds to the stiffness and damping around its particles: a row of its matrix has two blocks, of norm ks
 * (along the spring; across it, 1 - l0 / l of that) and kd.
 */
export const stiffnessOfSpring = kernel(
  'stiffnessOfSpring',
  {
    domain: 'springs',
    reads: { ends: index('particles', 2), stiffness: f32, damping: f32 },
    adds: { stiffnessAround: on('particles', f32), dampingAround: on('particles', f32) },
  },
  ({ ends, stiffness, damping, stiffnessAround, dampingAround }) => {
    for (const end of ends) {
      stiffnessAround.add(end, stiffness.mul(2));
      dampingAround.add(end, damping.mul(2));
    }
  },
);
