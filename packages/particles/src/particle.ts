import type { Entity, Scene } from '@gradsim/core';
import { column, computed, defineAspect, defineComponent, f32, reference, sum, vec3 } from '@gradsim/core';
import { fixed, push } from '@gradsim/physics';

/** A point mass. Springs, tetrahedra and triangles connect particles; those with a density add shares to the mass. */
export const Particle = defineComponent(
  'particles',
  {
    position: column(vec3, { unit: 'm' }),
    velocity: column(vec3, { default: 0, unit: 'm/s' }),
    /** Its own mass; elements with a density add their shares. */
    mass: column(f32, { default: 0, unit: 'kg', range: 'nonNegative' }),
    /** 1 for a particle of infinite mass: it never moves and feels no gravity. */
    fixed,
    /** A constant external force, world axes. */
    load: column(vec3, { default: 0, unit: 'N' }),
  },
  {
    /** Sum of forces, world axes; added to in phase `force`. */
    force: sum(vec3, { unit: 'N' }),
    /** Own mass plus the shares of elements, added in setup: see `MassShares`. */
    totalMass: sum(f32, { unit: 'kg' }),
    /**
     * Stiffness and damping of springs, elements and contacts around the particle, added in setup for the largest
     * stable substep: see `leastRate`.
     */
    stiffnessAround: sum(f32, { unit: 'N/m' }),
    dampingAround: sum(f32, { unit: 'N s/m' }),
    /** Inverse mass; 0 for a fixed particle. */
    inverseMass: computed(f32, { unit: '1/kg' }),
    leastRate: computed(f32, { unit: '1/s' }),
    /** Compensation of rounding errors of positions and velocities that are sums of increments. */
    positionCarry: computed(vec3, { unit: 'm' }),
    velocityCarry: computed(vec3, { unit: 'm/s' }),
  },
  { noun: 'particle' },
);

/**
 * Position of a particle in the rest shape of its elements, for bodies that start deformed or whose initial positions
 * are estimated. Without it, the rest shape is that of the initial positions.
 */
export const RestPosition = defineAspect(
  Particle,
  'restPosition',
  { restPosition: column(vec3, { default: 0, unit: 'm' }) },
  {
    /** Compensation of rounding errors of rest positions. */
    restCarry: computed(vec3, { unit: 'm' }),
  },
);

/**
 * Returns the position of a particle in the rest shape of its elements, m: the initial position, unless it has a
 * RestPosition.
 */
export function restPositionOf(scene: Scene, particle: Entity): ArrayLike<number> {
  return scene.has(particle, RestPosition.name)
    ? scene.get(particle, RestPosition, 'restPosition')
    : scene.get(particle, Particle, 'position');
}

/** A force on a particle over a time window. Over a window of length T, `force` gives the impulse force * T. */
export const ParticlePush = defineComponent(
  'particlePushes',
  {
    particle: reference(Particle),
    ...push,
  },
  {},
  { noun: 'push' },
);
