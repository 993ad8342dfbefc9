import type { Entity, Scene } from '@gradsim/core';
import { column, computed, defineAspect, defineComponent, f32, reference, sum, vec3 } from '@gradsim/core';
import { fixed, push } from '@gradsim/dynamics';

/**
 * A point mass. Springs, tetrahedra and triangles connect particles; elements with a density add shares to their mass.
 */
export const Particle = defineComponent(
  'particles',
  {
    position: column(vec3, { unit: 'm' }),
    velocity: column(vec3, { default: 0, unit: 'm/s' }),
    /** The particle's own mass, kg; elements with a density add their shares, see `totalMass`. */
    mass: column(f32, { default: 0, unit: 'kg', range: 'nonNegative' }),
    /** 1 for a particle of infinite mass, which never moves and feels no gravity; else 0. */
    fixed,
    /** A constant external force, N, world axes. */
    load: column(vec3, { default: 0, unit: 'N' }),
  },
  {
    /** Sum of forces, N, world axes; passes of phase `force` add to it. */
    force: sum(vec3, { unit: 'N' }),
    /** Own mass plus the shares of elements, kg, summed in setup: see `MassShares`. */
    totalMass: sum(f32, { unit: 'kg' }),
    /**
     * Sums of the stiffness, N/m, and damping, N s/m, of springs, elements and contacts around the particle, from
     * setup, bounds of the sums of the norms of the blocks in its rows of K and C: a spring adds twice its own at each
     * end. The largest stable substep follows from them, see `leastRate`.
     */
    stiffnessAround: sum(f32, { unit: 'N/m' }),
    dampingAround: sum(f32, { unit: 'N s/m' }),
    /** Inverse mass, 1/kg; 0 for a fixed particle. */
    inverseMass: computed(f32, { unit: '1/kg' }),
    leastRate: computed(f32, { unit: '1/s' }),
    /** Rounding errors of position and velocity, which are compensated sums of increments. */
    positionCarry: computed(vec3, { unit: 'm' }),
    velocityCarry: computed(vec3, { unit: 'm/s' }),
  },
  { noun: 'particle' },
);

/**
 * Position of a particle in the rest shape of its elements, m, for bodies that start deformed or whose initial
 * positions are estimated. Without it, the rest shape is that of the initial positions.
 */
export const RestPosition = defineAspect(
  Particle,
  'restPosition',
  { restPosition: column(vec3, { default: 0, unit: 'm' }) },
  {
    /** Rounding error of the rest position, m, for compensation. */
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

/** A force on a particle over a time window. Over a window of T seconds, `force` gives the impulse force T, N s. */
export const ParticlePush = defineComponent(
  'particlePushes',
  {
    particle: reference(Particle),
    ...push,
  },
  {},
  { noun: 'push' },
);
