import type { Entity } from '@gradsim/core';
import { column, computed, defineComponent, f32, mat33, quat, resource, sum, vec3 } from '@gradsim/core';
import { orientation } from '@gradsim/dynamics';
import type { TriangleMesh } from '@gradsim/mesh';

/** Kind of joint: how a link can move relative to its parent. */
export type JointKind = 'revolute' | 'prismatic' | 'ball' | 'free' | 'fixed';

/** Absolute value above which a joint limit counts as absent. */
export const NO_LIMIT = 1e9;

/**
 * A link of a tree, with the joint that it hangs on. Its axes have their origin at the joint.
 *
 * Joints with an axis, revolute and prismatic, have a `coordinate` and a `rate`, in rad or m; ball joints a
 * `jointOrientation` and an `angularVelocity`; free ones have those, and a `translation` and a `velocity`.
 *
 * ```ts
 * const rod = scene.add(Link, { joint: 'revolute', axis: [0, 0, 1], mass: 1, centre: [0, -1, 0], coordinate: 0.5 });
 * scene.add(Link, { parent: rod, joint: 'revolute', axis: [0, 0, 1], anchor: [0, -1, 0], mass: 1, centre: [0, -1, 0]
 * });
 * ```
 */
export const Link = defineComponent(
  'links',
  {
    /** Parent link; without one, the link hangs on the world. */
    parent: resource<Entity>({ required: false }),
    joint: resource<JointKind>(),
    /** Position of the joint in the parent's axes, m. */
    anchor: column(vec3, { default: 0, unit: 'm' }),
    /** Orientation of the link when its joint is in the rest position: quaternion (x, y, z, w), link to parent. */
    restOrientation: orientation,
    /** Axis of revolute and prismatic joints, in the link's axes at rest; of any length. */
    axis: column(vec3, {
      default: [0, 0, 1],
      range: { requirement: 'have a direction', isMet: (axis) => axis.some((a) => a !== 0) },
    }),
    mass: column(f32, { default: 0, unit: 'kg', range: 'nonNegative' }),
    /** Centre of mass in the link's axes, m. */
    centre: column(vec3, { default: 0, unit: 'm' }),
    /** Inertia tensor about the centre of mass, kg m^2, in the link's axes, row by row; 0 for a point mass. */
    inertia: column(mat33, { default: 0, unit: 'kg m^2' }),
    /**
     * Mesh in the link's axes, m. It is drawn, and its vertices are contact points if the contact plugin is registered.
     */
    mesh: resource<TriangleMesh>({ required: false }),

    /** Coordinate of a joint with an axis: angle, rad, or displacement, m. */
    coordinate: column(f32, { default: 0 }),
    /** Rate of `coordinate`, rad/s or m/s. */
    rate: column(f32, { default: 0 }),
    /**
     * State of ball and free joints: orientation relative to rest, a quaternion (x, y, z, w) from the link's axes to
     * those at rest; and angular velocity relative to the parent, rad/s, in the link's axes.
     */
    jointOrientation: orientation,
    angularVelocity: column(vec3, { default: 0, unit: 'rad/s' }),
    /** Translation of free joints from the anchor, m, in the parent's axes; `velocity` is its rate, m/s. */
    translation: column(vec3, { default: 0, unit: 'm' }),
    velocity: column(vec3, { default: 0, unit: 'm/s' }),

    /**
     * Torque, N m, or force, N, of a motor along the axis (`drive`); torque vector of a motor of a ball joint, N m, in
     * the link's axes (`ballDrive`).
     */
    drive: column(f32, { default: 0 }),
    ballDrive: column(vec3, { default: 0, unit: 'N m' }),
    /**
     * Stiffness of the joint's spring, N m/rad or N/m: it pulls the coordinate to `restCoordinate`, and a ball joint to
     * its rest orientation.
     */
    stiffness: column(f32, { default: 0, range: 'nonNegative' }),
    restCoordinate: column(f32, { default: 0 }),
    /**
     * Damping c: torque or force -c q' along the axis, q' the rate of the joint, N m s/rad or N s/m; of a ball joint -c
     * omega.
     */
    damping: column(f32, { default: 0, range: 'nonNegative' }),
    /**
     * Dry friction: its maximum, N m or N (`dryFriction`), and its slope through zero rate, N m s/rad or N s/m
     * (`frictionStiffness`).
     */
    dryFriction: column(f32, { default: 0, range: 'nonNegative' }),
    frictionStiffness: column(f32, { default: 0, range: 'nonNegative' }),
    /**
     * Absolute rate below which dry friction is less than its maximum, rad/s or m/s; for implicit joints, instead of
     * `frictionStiffness`. Without either, derivatives are right where a joint turns back. A width of fewer than four times the change
     * of rate in a substep is crossed there in steps so few that they are not.
     */
    frictionWidth: column(f32, { default: 0, range: 'nonNegative' }),
    /**
     * True to evaluate damping and dry friction at the end of the substep, see {@link articulated}. Default: the
     * plugin's option `implicitJoints`.
     */
    implicitJoint: resource<boolean>({ required: false }),
    /**
     * Lower and upper limit of the coordinate, rad or m; of a ball joint, `upper` is the maximum angle from rest, rad.
     */
    lower: column(f32, { default: -NO_LIMIT }),
    upper: column(f32, { default: NO_LIMIT }),
    /** Stiffness, N m/rad or N/m, and damping, N m s/rad or N s/m, of the limits. */
    limitStiffness: column(f32, { default: 0, range: 'nonNegative' }),
    limitDamping: column(f32, { default: 0, range: 'nonNegative' }),
    /** Armature: inertia of a rotor that moves with the joint only, kg m^2, or kg for prismatic joints. */
    armature: column(f32, { default: 0, range: 'nonNegative' }),
  },
  {
    /**
     * Sum of torques, N m, or forces, N, along the axis of a joint (`effort`); of a ball joint, torque vector in the
     * link's axes, N m (`ballEffort`).
     */
    effort: sum(f32),
    ballEffort: sum(vec3, { unit: 'N m' }),
    /** Sum of external forces at the centre of mass, N, and sum of external torques about it, N m, world axes. */
    force: sum(vec3, { unit: 'N' }),
    torque: sum(vec3, { unit: 'N m' }),
    /**
     * Second derivative of the coordinate, rad/s^2 or m/s^2; angular acceleration of ball and free joints, rad/s^2;
     * second derivative of the translation, m/s^2.
     */
    acceleration: sum(f32),
    angularAcceleration: sum(vec3, { unit: 'rad/s^2' }),
    linearAcceleration: sum(vec3, { unit: 'm/s^2' }),
    /** Position of the joint in the world, m, and orientation from link to world, at the current frame. */
    position: sum(vec3, { unit: 'm' }),
    worldOrientation: sum(quat),
    /**
     * State of the link for contact, updated in every substep, in world axes: position and velocity of the centre of
     * mass, orientation from link to world, and angular velocity.
     */
    centrePosition: sum(vec3, { unit: 'm' }),
    centreVelocity: sum(vec3, { unit: 'm/s' }),
    bodyOrientation: sum(quat),
    bodyAngularVelocity: sum(vec3, { unit: 'rad/s' }),
    /** Rounding errors of the states, which are compensated sums of increments. */
    coordinateCarry: computed(f32),
    rateCarry: computed(f32),
    orientationCarry: computed(quat),
    angularVelocityCarry: computed(vec3, { unit: 'rad/s' }),
    translationCarry: computed(vec3, { unit: 'm' }),
    velocityCarry: computed(vec3, { unit: 'm/s' }),
  },
  { noun: 'link' },
);
