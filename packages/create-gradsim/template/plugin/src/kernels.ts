import { kernel } from '@gradsim/core';
import { Particle } from '@gradsim/particles';
import { Drag } from './component.ts';

/** Drag force f = -c v, N. */
export const dragForce = kernel(
  'dragForce',
  {
    domain: Particle,
    reads: { velocity: Particle.velocity, drag: Drag.drag },
    adds: { force: Particle.force },
  },
  ({ velocity, drag, force }) => force.add(velocity.mul(drag.neg())),
);

/**
 * Adds a particle's drag coefficient, N s/m, to the damping around it, from which the largest stable substep follows.
 */
export const dampingOfDrag = kernel(
  'dampingOfDrag',
  { domain: Particle, reads: { drag: Drag.drag }, adds: { dampingAround: Particle.dampingAround } },
  ({ drag, dampingAround }) => dampingAround.add(drag),
);
