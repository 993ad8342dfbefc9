import type { F32 } from '@gradsim/core';
import { addCompensated, detach, f32, field, kernel, select, vec3 } from '@gradsim/core';
import { gravity, kickDuration, windowShare } from '@gradsim/dynamics';
import { Particle, ParticlePush, RestPosition } from './particle.ts';

/** 1 for a particle with the aspect RestPosition, else 0. */
export const hasRestPosition = field('particles', 'hasRest', f32);

/** Sets the rest positions of particles, once per run: those of the aspect RestPosition, else the initial positions. */
export const restOfParticle = kernel(
  'restOfParticle',
  {
    domain: Particle,
    reads: {
      position: Particle.position,
      positionCarry: Particle.positionCarry,
      restPosition: RestPosition.restPosition,
      restCarry: RestPosition.restCarry,
      hasRest: hasRestPosition,
    },
    writes: { restPosition: RestPosition.restPosition, restCarry: RestPosition.restCarry },
  },
  ({ position, positionCarry, restPosition, restCarry, hasRest }) => ({
    restPosition: select(hasRest.gt(0), restPosition, position),
    restCarry: detach(select(hasRest.gt(0), restCarry, positionCarry)),
  }),
);

/** Adds a particle's own mass to its total mass; elements add their shares. */
export const addOwnMass = kernel(
  'ownMass',
  { domain: Particle, reads: { mass: Particle.mass }, adds: { totalMass: Particle.totalMass } },
  ({ mass, totalMass }) => totalMass.add(mass),
);

/** Computes the inverse mass after all shares are added; 0 for fixed particles, whose velocity is set to 0. */
export const startParticle = kernel(
  'startParticle',
  {
    domain: Particle,
    reads: {
      totalMass: Particle.totalMass,
      fixed: Particle.fixed,
      velocity: Particle.velocity,
      velocityCarry: Particle.velocityCarry,
    },
    writes: {
      inverseMass: Particle.inverseMass,
      velocity: Particle.velocity,
      velocityCarry: Particle.velocityCarry,
    },
  },
  ({ totalMass, fixed, velocity, velocityCarry }) => {
    const isFixed = fixed.gt(0);
    return {
      inverseMass: select(isFixed, 0, f32(1).div(select(isFixed, f32(1), totalMass))),
      velocity: select(isFixed, vec3(0, 0, 0), velocity),
      velocityCarry: select(isFixed, vec3(0, 0, 0), detach(velocityCarry)),
    };
  },
);

/** Initialises the sum of forces with the particle's constant load. */
export const addConstantLoad = kernel(
  'loadParticle',
  { domain: Particle, reads: { load: Particle.load }, adds: { force: Particle.force } },
  ({ load, force }) => force.add(load),
);

/**
 * Adds a given force over a time window. A substep that lies only partly in the window gets that fraction of the force.
 */
export const addPush = kernel(
  'pushParticle',
  {
    domain: ParticlePush,
    reads: {
      particle: ParticlePush.particle,
      push: ParticlePush.force,
      start: ParticlePush.start,
      end: ParticlePush.end,
    },
    adds: { force: Particle.force },
  },
  ({ particle, push, start, end, force }, clock) => force.add(particle, push.mul(windowShare(start, end, clock))),
);

/** States of a particle that one substep leaves to the next, and their rounding compensations. */
const particleStates = {
  position: Particle.position,
  velocity: Particle.velocity,
  positionCarry: Particle.positionCarry,
  velocityCarry: Particle.velocityCarry,
};

/**
 * Semi-implicit Euler: v' = v + dt (g + f / m), x' = x + dt v'.
 *
 * Gravity enters as an acceleration: as a force, mass would be multiplied in and divided out, and the two large halves
 * of its derivative would cancel only to single precision. Position and velocity are compensated sums: in single
 * precision, plain sums of thousands of similar increments drift enough to shift a contact by a whole substep.
 */
export const moveParticle = kernel(
  'moveParticle',
  {
    domain: Particle,
    reads: {
      ...particleStates,
      fixed: Particle.fixed,
      inverseMass: Particle.inverseMass,
      gravity,
      force: Particle.force,
    },
    writes: particleStates,
  },
  (s, moment) => {
    const ifFree = (time: F32): F32 => select(s.fixed.gt(0), f32(0), time);
    const acceleration = s.gravity.add(s.force.mul(s.inverseMass));
    const v = addCompensated(s.velocity, s.velocityCarry, acceleration.mul(ifFree(kickDuration(moment))));
    const x = addCompensated(s.position, s.positionCarry, v.sum.mul(ifFree(moment.dt)));
    return { position: x.sum, velocity: v.sum, positionCarry: x.compensation, velocityCarry: v.compensation };
  },
);
