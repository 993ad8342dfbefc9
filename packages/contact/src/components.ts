import { column, defineAspect, defineComponent, f32, vec3 } from '@gradsim/core';
import { attachedMaterial } from './material.ts';

/** A half-space to touch: the points x with normal . x <= offset are inside. Default the ground y <= 0. */
export const HalfSpace = defineComponent('halfSpaces', {
  /** Away from the inside; need not have unit length. */
  normal: column(vec3, { default: [0, 1, 0] }),
  offset: column(f32, { default: 0, unit: 'm' }),
});

/** A material of the half-space's own, combined with that of what touches it: means of ke, kd, kf, geometric mean of mu. */
export const HalfSpaceMaterial = defineAspect('halfSpaces', 'halfSpaceMaterial', attachedMaterial);

/** Columns of what touches with points: vertices of a body, particles. */
const touching = {
  ...attachedMaterial,
  /** Distance from the surface at which touching begins. */
  thickness: column(f32, { default: 0, unit: 'm', range: 'nonNegative' }),
};

/** Lets the vertices of a body's mesh touch half-spaces, with this material. */
export const BodyContact = defineAspect('bodies', 'bodyContact', touching);

/** Lets a particle touch half-spaces and shapes, with this material. */
export const ParticleContact = defineAspect('particles', 'particleContact', touching);
