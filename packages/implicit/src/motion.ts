import type { F32, FieldRef, Kernel, ValueType, Vec3 } from '@gradsim/core';
import { addCompensated, f32, field, kernel, select, vec3 } from '@gradsim/core';
import { Particle } from '@gradsim/particles';
import { gravity } from '@gradsim/physics';

/** What particles came with into the substep. */
export const velocityBefore = field('particles', 'velocityBefore', vec3, { unit: 'm/s' });
/** Where the velocity that is looked for leads to, and how fast particles are there: what forces are taken of. */
export const nextPosition = field('particles', 'nextPosition', vec3, { unit: 'm' });
export const nextCarry = field('particles', 'nextCarry', vec3, { unit: 'm' });
export const nextVelocity = field('particles', 'nextVelocity', vec3, { unit: 'm/s' });
/** What is missing to momentum: 0 where the equation of the step holds. */
export const imbalance = field('particles', 'imbalance', vec3, { unit: 'N s' });
/** About the derivative of the imbalance with respect to the velocity. */
export const inertia = field('particles', 'inertia', f32, { unit: 'kg' });

export const rememberVelocity = kernel(
  'rememberVelocity',
  { domain: Particle, reads: { velocity: Particle.velocity }, writes: { velocityBefore } },
  ({ velocity }) => ({ velocityBefore: velocity }),
);

/** The velocity of a particle, 0 where it never moves. */
function free(fixed: F32, v: Vec3): Vec3 {
  return select(fixed.gt(0), vec3(0, 0, 0), v);
}

/** x' = x + dt v'. */
export const lookAhead = kernel(
  'lookAhead',
  {
    domain: Particle,
    reads: {
      position: Particle.position,
      positionCarry: Particle.positionCarry,
      velocity: Particle.velocity,
      fixed: Particle.fixed,
    },
    writes: { nextPosition, nextCarry, nextVelocity },
  },
  ({ position, positionCarry, velocity, fixed }, { dt }) => {
    const v = free(fixed, velocity);
    const x = addCompensated(position, positionCarry, v.mul(dt));
    return { nextPosition: x.sum, nextCarry: x.carry, nextVelocity: v };
  },
);

/** m (v' - v - dt g) - dt f(x', v'); for a particle that never moves, v'. */
export const balanceUnder = (force: FieldRef<ValueType<Vec3>, 'particles'>): Kernel =>
  kernel(
    'balance',
    {
      domain: Particle,
      reads: {
        velocity: Particle.velocity,
        nextVelocity,
        velocityBefore,
        totalMass: Particle.totalMass,
        fixed: Particle.fixed,
        gravity,
        force,
      },
      adds: { imbalance },
    },
    ({ velocity, nextVelocity, velocityBefore, totalMass, fixed, gravity, force, imbalance }, { dt }) => {
      const change = nextVelocity.sub(velocityBefore).sub(gravity.mul(dt));
      const left = change.mul(totalMass).sub(force.mul(dt));
      imbalance.add(select(fixed.gt(0), velocity, left));
    },
  );

/** Takes the end of the step for the state. What forces do afterwards is what they did in it. */
export const takeNext = kernel(
  'takeNext',
  {
    domain: Particle,
    reads: {
      position: Particle.position,
      positionCarry: Particle.positionCarry,
      velocity: Particle.velocity,
      fixed: Particle.fixed,
    },
    writes: {
      position: Particle.position,
      positionCarry: Particle.positionCarry,
      velocityCarry: Particle.velocityCarry,
    },
  },
  ({ position, positionCarry, velocity, fixed }, { dt }) => {
    const x = addCompensated(position, positionCarry, free(fixed, velocity).mul(dt));
    return { position: x.sum, positionCarry: x.carry, velocityCarry: vec3(0, 0, 0) };
  },
);

/**
 * m + dt c + dt^2 k, with the stiffness k and damping c around a particle as elements name them for the largest stable
 * substep: a preconditioner, once a run. What is not named there only takes more rounds.
 */
export const inertiaOfStep = kernel(
  'inertiaOfStep',
  {
    domain: Particle,
    reads: {
      totalMass: Particle.totalMass,
      fixed: Particle.fixed,
      stiffnessAround: Particle.stiffnessAround,
      dampingAround: Particle.dampingAround,
    },
    writes: { inertia },
  },
  ({ totalMass, fixed, stiffnessAround, dampingAround }, { dt }) => {
    const held = dampingAround.add(stiffnessAround.mul(dt)).mul(dt);
    return { inertia: select(fixed.gt(0), f32(1), totalMass.add(held)) };
  },
);
