import { column, defineAspect, f32, kernel, norm } from '@gradsim/core';
import { Particle } from './particle.ts';

/**
 * Air drag of a particle: the force -m (c |v| + d) v, with its mass m, `quadraticDrag` c and `linearDrag` d.
 *
 * ```ts
 * scene.attach(ball, ParticleDrag, { quadraticDrag: 0.02 });
 * ```
 */
export const ParticleDrag = defineAspect(Particle, 'particleDrag', {
  /** Quadratic coefficient c, 1/m: rho C_d A / (2 m), the same quantity as `Body.drag`. */
  quadraticDrag: column(f32, { default: 0, unit: '1/m', range: 'nonNegative' }),
  /** Linear coefficient d, 1/s: for slow motion, and for oscillations with a constant decrement. */
  linearDrag: column(f32, { default: 0, unit: '1/s', range: 'nonNegative' }),
});

export const dragParticle = kernel(
  'dragParticle',
  {
    domain: Particle,
    reads: {
      velocity: Particle.velocity,
      totalMass: Particle.totalMass,
      quadraticDrag: ParticleDrag.quadraticDrag,
      linearDrag: ParticleDrag.linearDrag,
    },
    adds: { force: Particle.force },
  },
  ({ velocity, totalMass, quadraticDrag, linearDrag, force }) =>
    force.add(velocity.mul(quadraticDrag.mul(norm(velocity)).add(linearDrag).mul(totalMass).neg())),
);

/** Adds the contribution of drag to the damping around a particle, N s/m, at its initial speed. */
export const dampingOfDrag = kernel(
  'dampingOfDrag',
  {
    domain: Particle,
    reads: {
      velocity: Particle.velocity,
      mass: Particle.mass,
      quadraticDrag: ParticleDrag.quadraticDrag,
      linearDrag: ParticleDrag.linearDrag,
    },
    adds: { dampingAround: Particle.dampingAround },
  },
  ({ velocity, mass, quadraticDrag, linearDrag, dampingAround }) =>
    dampingAround.add(mass.mul(quadraticDrag.mul(norm(velocity)).mul(2).add(linearDrag))),
);
