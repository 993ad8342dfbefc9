import { column, computed, defineAspect, defineAspects, defineComponent, f32, vec3 } from '@gradsim/core';
import { bounce } from './bounce.ts';
import { attachedMaterial } from './material.ts';

/** Half-space: the points x with normal . x <= offset (m) are inside. Default: the ground y <= 0. */
export const HalfSpace = defineComponent(
  'halfSpaces',
  {
    /** Outward normal of the half-space; it is normalised when the run starts. */
    normal: column(vec3, {
      default: [0, 1, 0],
      range: { requirement: 'point away from the inside', isMet: (normal) => normal.some((n) => n !== 0) },
    }),
    offset: column(f32, { default: 0, unit: 'm' }),
  },
  {
    unitNormal: computed(vec3),
    /** 1 for a half-space with a HalfSpaceMaterial, otherwise 0. */
    hasMaterial: computed(f32),
  },
  { noun: 'half-space' },
);

/**
 * Material of a half-space. Its pairs use the means of ke, kd and kf of both materials, and the geometric mean of mu.
 */
export const HalfSpaceMaterial = defineAspect(HalfSpace, 'halfSpaceMaterial', attachedMaterial);

/**
 * Component that gives elements contact, with a material: points touch half-spaces and shapes, bodies touch half-spaces
 * with their vertices. The elements are those of any component that a plugin offers as `PointsThatTouch` or
 * `BodiesThatTouch`.
 *
 * ```ts
 * scene.attach(drop, contactOf(Particle), { ke: 500, kd: 0.1 });
 * scene.attach(brick, contactOf(Body), { ke: 2e3, kd: 5, mu: 0.4 }); // its friction is contactOf(Body).mu
 * scene.attach(die, contactOf(Body), { restitution: 0.4, duration: 0.004, mu: 0.2 });
 * ```
 */
export const contactOf = defineAspects('contactOf', {
  ...attachedMaterial,
  ...bounce,
  /** Distance from the surface at which contact begins, m. */
  thickness: column(f32, { default: 0, unit: 'm', range: 'nonNegative' }),
});
