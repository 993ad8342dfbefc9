import { column, defineAspect, defineComponent, f32, reference, vec3 } from '@gradsim/core';

const material = {
  /** Stiffness. */
  ke: column(f32, { unit: 'N/m', range: 'nonNegative' }),
  /** Damping along the normal. */
  kd: column(f32, { default: 0, unit: 'N s/m', range: 'nonNegative' }),
  /** Friction stiffness: force over slip velocity while sticking. */
  kf: column(f32, { default: 0, unit: 'N s/m', range: 'nonNegative' }),
  /** Coulomb's friction coefficient. */
  mu: column(f32, { default: 0, range: 'nonNegative' }),
};

/** A half-space to touch: the points x with normal . x <= offset are inside. Default the ground y <= 0. */
export const HalfSpace = defineComponent('halfSpaces', {
  /** Away from the inside; need not have unit length. */
  normal: column(vec3, { default: [0, 1, 0] }),
  offset: column(f32, { default: 0, unit: 'm' }),
});

/** A material of the half-space's own, combined with that of what touches it: means of ke, kd, kf, geometric mean of mu. */
export const HalfSpaceMaterial = defineAspect('halfSpaces', 'halfSpaceMaterial', {
  surfaceKe: { ...material.ke, default: 0 },
  surfaceKd: material.kd,
  surfaceKf: material.kf,
  surfaceMu: material.mu,
});

/** Lets the vertices of a body's mesh touch half-spaces, with this material. */
export const BodyContact = defineAspect('bodies', 'bodyContact', {
  ke: { ...material.ke, default: 0 },
  kd: material.kd,
  kf: material.kf,
  mu: material.mu,
  /** Distance from the surface at which touching begins. */
  thickness: column(f32, { default: 0, unit: 'm', range: 'nonNegative' }),
});

/** Lets a particle touch half-spaces and spheres of bodies, with this material. */
export const ParticleContact = defineAspect('particles', 'particleContact', {
  ke: { ...material.ke, default: 0 },
  kd: material.kd,
  kf: material.kf,
  mu: material.mu,
  /** Distance from the surface at which touching begins. */
  thickness: column(f32, { default: 0, unit: 'm', range: 'nonNegative' }),
});

/**
 * A sphere of a body that touches half-spaces and particles: exact for balls, where the vertices of a mesh would bounce like a
 * polyhedron; several make a rounded shape. It gives the body neither mass nor looks.
 *
 * ```ts
 * const ball = scene.add(Body, { mesh: icosphere({ radius: 0.02 }), mass: 0.01, position: [0, 2, 0] });
 * scene.add(ContactSphere, { body: ball, radius: 0.02, ke: 2e3, kd: 2 });
 * ```
 */
export const ContactSphere = defineComponent('spheres', {
  body: reference('bodies'),
  /** In body axes from the centre of mass. */
  centre: column(vec3, { default: 0, unit: 'm' }),
  radius: column(f32, { unit: 'm', range: 'positive' }),
  ...material,
});
