import type { Entity, Scene } from '@gradsim/core';
import { column, defineAspect, defineComponent, f32, reference, vec3 } from '@gradsim/core';
import { fixed, push } from '@gradsim/physics';

/**
 * A point mass. Springs, tetrahedra and triangles hang between particles; those with a density add shares to the mass.
 */
export const Particle = defineComponent('particles', {
  position: column(vec3, { unit: 'm' }),
  velocity: column(vec3, { default: 0, unit: 'm/s' }),
  /** Its own mass; elements with a density add their shares. */
  mass: column(f32, { default: 0, unit: 'kg', range: 'nonNegative' }),
  /** 1 for a particle of infinite mass: it never moves and feels no gravity. */
  fixed,
  /** A constant external force, world axes. */
  load: column(vec3, { default: 0, unit: 'N' }),
});

/**
 * Where a particle lies in the rest shape of its elements, for bodies that start deformed or whose initial positions
 * are estimated. Without it, the rest shape is that of the initial positions.
 */
export const RestPosition = defineAspect('particles', 'restPosition', {
  restPosition: column(vec3, { default: 0, unit: 'm' }),
});

/** Where a particle lies in the rest shape of its elements, m: at its initial position, unless it has a RestPosition. */
export function restPositionOf(scene: Scene, particle: Entity): ArrayLike<number> {
  return scene.has(particle, RestPosition.name)
    ? scene.get(particle, RestPosition, 'restPosition')
    : scene.get(particle, Particle, 'position');
}

/** A force on a particle over a time window. Over a window of length T, `force` gives the impulse force * T. */
export const ParticlePush = defineComponent('particlePushes', {
  particle: reference('particles'),
  ...push,
});
