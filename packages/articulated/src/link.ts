import type { Entity } from '@gradsim/core';
import { column, computed, defineComponent, f32, mat33, quat, resource, sum, vec3 } from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';
import { orientation } from '@gradsim/physics';

/** Kind of joint: a link's motion relative to its parent. */
export type JointKind = 'revolute' | 'prismatic' | 'ball' | 'free' | 'fixed';

/** Value beyond which a joint counts as unlimited. */
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
    /** Parent link; without one, the world. */
    parent: resource<Entity>({ required: false }),
    joint: resource<JointKind>(),
    /** Position of the joint, in the parent's axes. */
    anchor: column(vec3, { default: 0, unit: 'm' }),
    /** Orientation in the joint's rest position, link to parent: quaternion (x, y, z, w). */
    restOrientation: orientation,
    /** Axis of revolute and prismatic joints, in the link's axes at rest; of any length. */
    axis: column(vec3, {
      default: [0, 0, 1],
      range: { must: 'have a direction', holds: (axis) => axis.some((a) => a !== 0) },
    }),
    mass: column(f32, { default: 0, unit: 'kg', range: 'nonNegative' }),
    /** Centre of mass, in the link's axes. */
    centre: column(vec3, { default: 0, unit: 'm' }),
    /** Inertia about the centre of mass, in the link's axes, row by row; 0 for a point mass. */
    inertia: column(mat33, { default: 0, unit: 'kg m^2' }),
    /** Mesh in the link's axes, m; drawn, and its vertices are used by contact if that is registered. */
    mesh: resource<TriangleMesh>({ required: false }),

    /** Joint coordinate, rad or m. */
    coordinate: column(f32, { default: 0 }),
    /** Joint rate, rad/s or m/s. */
    rate: column(f32, { default: 0 }),
    /**
     * State of ball and free joints: orientation relative to rest (link to rest), and angular velocity relative to the
     * parent, in own axes.
     */
    jointOrientation: orientation,
    angularVelocity: column(vec3, { default: 0, unit: 'rad/s' }),
    /** Translation of free joints from the anchor, in the parent's axes. */
    translation: column(vec3, { default: 0, unit: 'm' }),
    velocity: column(vec3, { default: 0, unit: 'm/s' }),

    /** Torque or force of a motor along the axis, N m or N; of a ball joint, in the link's axes. */
    drive: column(f32, { default: 0 }),
    ballDrive: column(vec3, { default: 0, unit: 'N m' }),
    /** Elastic torque per angle from `restCoordinate`, N m/rad, or N/m. Of a ball joint: against its rotation. */
    stiffness: column(f32, { default: 0, range: 'nonNegative' }),
    restCoordinate: column(f32, { default: 0 }),
    /** Damping c: torque or force -c q' along the axis, q' the rate of the joint, N m s/rad or N s/m; of a ball joint -c omega. */
    damping: column(f32, { default: 0, range: 'nonNegative' }),
    /** Dry friction: its maximum, N m or N, and its slope through zero, N m s/rad or N s/m. */
    dryFriction: column(f32, { default: 0, range: 'nonNegative' }),
    frictionStiffness: column(f32, { default: 0, range: 'nonNegative' }),
    /** Rate below which dry friction holds, rad/s or m/s; for implicit joints, instead of `frictionStiffness`. */
    frictionWidth: column(f32, { default: 0, range: 'nonNegative' }),
    /**
     * Evaluates damping and dry friction at the end of the substep, see {@link articulated}. Default: the plugin's
     * option.
     */
    implicitJoint: resource<boolean>({ required: false }),
    /** Limits of the coordinate, rad or m; of a ball joint, `upper` is its maximum rotation. */
    lower: column(f32, { default: -NO_LIMIT }),
    upper: column(f32, { default: NO_LIMIT }),
    /** Stiffness beyond limits, N m/rad or N/m; and damping, N m s/rad or N s/m. */
    limitStiffness: column(f32, { default: 0, range: 'nonNegative' }),
    limitDamping: column(f32, { default: 0, range: 'nonNegative' }),
    /** Inertia of a rotor that turns with the joint only: kg m^2, or kg for prismatic joints. */
    armature: column(f32, { default: 0, range: 'nonNegative' }),
  },
  {
    /** Sum of efforts along the axis of a joint, N m or N; for a ball joint, about the axes of the link, N m. */
    effort: sum(f32),
    ballEffort: sum(vec3, { unit: 'N m' }),
    /** Sums of external forces at the centre of mass and torques about it, world axes. */
    force: sum(vec3, { unit: 'N' }),
    torque: sum(vec3, { unit: 'N m' }),
    /** Second derivatives of coordinates, rotations and translations. */
    acceleration: sum(f32),
    angularAcceleration: sum(vec3, { unit: 'rad/s^2' }),
    linearAcceleration: sum(vec3, { unit: 'm/s^2' }),
    /** Position of the joint in the world, and orientation, link to world, at the frame. */
    position: sum(vec3, { unit: 'm' }),
    worldOrientation: sum(quat),
    /** Position of the centre of mass and motion of the link within a substep, for contact. */
    centrePosition: sum(vec3, { unit: 'm' }),
    centreVelocity: sum(vec3, { unit: 'm/s' }),
    bodyOrientation: sum(quat),
    bodyAngularVelocity: sum(vec3, { unit: 'rad/s' }),
    /** Compensation of rounding errors of states. */
    coordinateCarry: computed(f32),
    rateCarry: computed(f32),
    orientationCarry: computed(quat),
    angularVelocityCarry: computed(vec3, { unit: 'rad/s' }),
    translationCarry: computed(vec3, { unit: 'm' }),
    velocityCarry: computed(vec3, { unit: 'm/s' }),
  },
  { noun: 'link' },
);
