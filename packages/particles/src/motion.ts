import { addCompensated, f32, index, kernel, on, perWorld, select, vec3 } from '@gradsim/core';
import { coveredPart } from '@gradsim/physics';

/** Where elements without strain have their particles; once a run. */
export const restOfParticle = kernel(
  'restOfParticle',
  {
    domain: 'particles',
    reads: { position: vec3, restPosition: vec3, hasRest: f32 },
    writes: { restPosition: vec3 },
  },
  ({ position, restPosition, hasRest }) => ({ restPosition: select(hasRest.gt(0), restPosition, position) }),
);

/** A particle's own part of its mass; elements add shares. */
export const ownMass = kernel(
  'ownMass',
  { domain: 'particles', reads: { mass: f32 }, adds: { totalMass: f32 } },
  ({ mass, totalMass }) => totalMass.add(mass),
);

/** Once all shares are in; 0 for fixed particles, whose velocity is 0 from the start. */
export const startParticle = kernel(
  'startParticle',
  {
    domain: 'particles',
    reads: { totalMass: f32, fixed: f32, velocity: vec3 },
    writes: { inverseMass: f32, velocity: vec3 },
  },
  ({ totalMass, fixed, velocity }) => {
    const isFixed = fixed.gt(0);
    return {
      inverseMass: select(isFixed, 0, f32(1).div(select(isFixed, f32(1), totalMass))),
      velocity: select(isFixed, vec3(0, 0, 0), velocity),
    };
  },
);

/** Starts the sum of forces. */
export const loadParticle = kernel(
  'loadParticle',
  { domain: 'particles', reads: { load: vec3 }, adds: { force: vec3 } },
  ({ load, force }) => force.add(load),
);

/** A given force over a time window. A window that starts or ends within a substep counts for the part that it covers. */
export const pushParticle = kernel(
  'pushParticle',
  {
    domain: 'particlePushes',
    reads: { particle: index('particles'), force: vec3, start: f32, end: f32 },
    adds: { particleForce: on('particles', vec3) },
  },
  ({ particle, force, start, end, particleForce }, clock) =>
    particleForce.add(particle, force.mul(coveredPart(start, end, clock))),
);

/**
 * Semi-implicit Euler: v' = v + dt (g + f / m), x' = x + dt v'.
 *
 * Gravity enters as an acceleration: as a force, mass would be multiplied in and divided out, and the two large halves
 * of its derivative would cancel only to single precision. Both states carry the rounding error of their sums along:
 * in single precision, plain sums of thousands of like steps drift enough to shift a contact by a whole substep.
 */
export const moveParticle = kernel(
  'moveParticle',
  {
    domain: 'particles',
    reads: {
      position: vec3,
      velocity: vec3,
      positionCarry: vec3,
      velocityCarry: vec3,
      fixed: f32,
      inverseMass: f32,
      gravity: perWorld(vec3),
      force: vec3,
    },
    writes: { position: vec3, velocity: vec3, positionCarry: vec3, velocityCarry: vec3 },
  },
  (s, { dt }) => {
    const free = select(s.fixed.gt(0), f32(0), dt);
    const acceleration = s.gravity.add(s.force.mul(s.inverseMass));
    const v = addCompensated(s.velocity, s.velocityCarry, acceleration.mul(free));
    const x = addCompensated(s.position, s.positionCarry, v.sum.mul(free));
    return { position: x.sum, velocity: v.sum, positionCarry: x.carry, velocityCarry: v.carry };
  },
);
