import { column, computed, defineComponent, f32, mat33, quat, reference, resource, sum, vec3 } from '@gradsim/core';
import { fixed, orientation, push } from '@gradsim/dynamics';
import type { TriangleMesh } from '@gradsim/mesh';

/** A diagonal or full inertia tensor about the centre of mass in body axes, row by row, kg m^2. */
export type InertiaTensor = readonly number[];

/**
 * A rigid body. Give `density` or `mass`; with a closed mesh, centre of mass and inertia follow from it; a body without
 * one needs `inertia`.
 *
 * `position` is that of the centre of mass: the mesh is shifted so that its centre of mass lies at the origin of the
 * body frame.
 */
export const Body = defineComponent(
  'bodies',
  {
    /** A closed triangle mesh, in metres. Its vertices are drawn, and used by contact if that is registered. */
    mesh: resource<TriangleMesh>({ required: false }),
    position: column(vec3, { default: 0, unit: 'm' }),
    /** Quaternion (x, y, z, w), from body to world axes; normalised when the run starts. */
    orientation,
    velocity: column(vec3, { default: 0, unit: 'm/s' }),
    /** Angular velocity, rad/s, world axes. */
    angularVelocity: column(vec3, { default: 0, unit: 'rad/s' }),
    density: column(f32, { default: 0, unit: 'kg/m^3', range: 'nonNegative' }),
    /** Mass, kg, given instead of `density`; motion reads `totalMass`, which follows from either. */
    mass: column(f32, { default: 0, unit: 'kg', range: 'nonNegative' }),
    /** Inertia tensor about the centre of mass in body axes, kg m^2, instead of that of the mesh. */
    inertia: column(mat33, { default: 0, unit: 'kg m^2' }),
    /**
     * Mass distribution of the mesh: a solid of uniform density, or equal point masses at its vertices (then `mass`
     * must be given).
     */
    filling: resource<'solid' | 'points'>({ required: false }),
    /** Quadratic air drag, 1/m: the c of the force -c m |v| v, rho C_d A / (2 m). */
    drag: column(f32, { default: 0, unit: '1/m', range: 'nonNegative' }),
    /** 1 for a body that never moves (infinite mass, no gravity); else 0. */
    fixed,
  },
  {
    /**
     * Sum of forces at the centre of mass, N, and sum of torques about it, N m, world axes; passes of phase `force` add
     * to them.
     */
    force: sum(vec3, { unit: 'N' }),
    torque: sum(vec3, { unit: 'N m' }),
    /** Volume of the mesh of a body with `density`, m^3; 0 if `mass` is given. */
    volume: computed(f32, { unit: 'm^3' }),
    /** Inertia over mass of the mesh, about the centre of mass in body axes, m^2; 0 if `inertia` is given. */
    inertiaPerMass: computed(mat33, { unit: 'm^2' }),
    /** Mass that motion uses, kg: `mass`, or `density` times `volume`; computed once per run. */
    totalMass: computed(f32, { unit: 'kg' }),
    /** Inertia over mass about the centre of mass, in body axes, m^2; and its inverse, 1/m^2. */
    gyration: computed(mat33, { unit: 'm^2' }),
    inverseGyration: computed(mat33, { unit: '1/m^2' }),
    /** Least number of substeps a second for its spin at the start, 1/s; computed once per run. */
    spinRate: computed(f32, { unit: '1/s' }),
    /** Rounding errors of the states, which are compensated sums of increments. */
    positionCarry: computed(vec3, { unit: 'm' }),
    orientationCarry: computed(quat),
    velocityCarry: computed(vec3, { unit: 'm/s' }),
    angularVelocityCarry: computed(vec3, { unit: 'rad/s' }),
  },
  { noun: 'body' },
);

/** A force on a body over a time window. Over a window of T seconds, `force` gives the impulse force * T, N s. */
export const BodyPush = defineComponent(
  'bodyPushes',
  {
    body: reference(Body),
    ...push,
    /** Point of application, m, in body axes from the centre of mass; it moves with the body. */
    point: column(vec3, { default: 0, unit: 'm' }),
  },
  {},
  { noun: 'push' },
);
