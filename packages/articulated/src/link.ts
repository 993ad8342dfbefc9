import type { Entity } from '@gradsim/core';
import { column, defineComponent, f32, made, mat33, quat, resource, sum, vec3 } from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';
import { orientation } from '@gradsim/physics';

/** How a link moves against its parent. */
export type JointKind = 'revolute' | 'prismatic' | 'ball' | 'free' | 'fixed';

/** Beyond this a joint has no limit. */
export const NO_LIMIT = 1e9;

/**
 * A link of a tree, with the joint that it hangs on. Its axes have their origin at the joint.
 *
 * Joints with an axis, revolute and prismatic, have a `coordinate` and a `rate`, in rad or m; ball joints a
 * `jointOrientation` and an `angularVelocity`; free ones have those, and a `translation` and a `velocity`.
 *
 * ```ts
 * const rod = scene.add(Link, { joint: 'revolute', axis: [0, 0, 1], mass: 1, centre: [0, -1, 0], coordinate: 0.5 });
 * scene.add(Link, { parent: rod, joint: 'revolute', axis: [0, 0, 1], anchor: [0, -1, 0], mass: 1, centre: [0, -1, 0] });
 * ```
 */
export const Link = defineComponent(
  'links',
  {
    /** The link that it hangs on; without, the world. */
    parent: resource<Entity>({ required: false }),
    joint: resource<JointKind>(),
    /** Where the joint is, in the parent's axes. */
    anchor: column(vec3, { default: 0, unit: 'm' }),
    /** From the link's axes to the parent's, where the joint has not moved: quaternion (x, y, z, w). */
    restOrientation: orientation,
    /** Of revolute and prismatic joints, in the link's axes at rest; of any length. */
    axis: column(vec3, {
      default: [0, 0, 1],
      range: { must: 'have a direction', holds: (axis) => axis.some((a) => a !== 0) },
    }),
    mass: column(f32, { default: 0, unit: 'kg', range: 'nonNegative' }),
    /** The centre of mass, in the link's axes. */
    centre: column(vec3, { default: 0, unit: 'm' }),
    /** About the centre of mass, in the link's axes, row by row; 0 for a point mass. */
    inertia: column(mat33, { default: 0, unit: 'kg m^2' }),
    /** Seen, and touched with its vertices when contact is attached; in the link's axes, m. */
    mesh: resource<TriangleMesh>({ required: false }),

    /** rad or m. */
    coordinate: column(f32, { default: 0 }),
    /** rad/s or m/s. */
    rate: column(f32, { default: 0 }),
    /** Of ball and free joints: from the link's axes to those at rest, and how fast they turn against the parent, own axes. */
    jointOrientation: orientation,
    angularVelocity: column(vec3, { default: 0, unit: 'rad/s' }),
    /** Of free joints, from the anchor, in the parent's axes. */
    translation: column(vec3, { default: 0, unit: 'm' }),
    velocity: column(vec3, { default: 0, unit: 'm/s' }),

    /** Torque or force of a motor along the axis, N m or N; of a ball joint, in the link's axes. */
    drive: column(f32, { default: 0 }),
    ballDrive: column(vec3, { default: 0, unit: 'N m' }),
    /** Elastic torque per angle from `restCoordinate`, N m/rad, or N/m. Of a ball joint: against its turning. */
    stiffness: column(f32, { default: 0, range: 'nonNegative' }),
    restCoordinate: column(f32, { default: 0 }),
    /** N m s/rad or N s/m. */
    damping: column(f32, { default: 0, range: 'nonNegative' }),
    /** Dry friction: the most, N m or N, and its slope through zero, N m s/rad or N s/m. */
    dryFriction: column(f32, { default: 0, range: 'nonNegative' }),
    frictionStiffness: column(f32, { default: 0, range: 'nonNegative' }),
    /** Of an implicit joint, in place of `frictionStiffness`: the rate below which dry friction holds, rad/s or m/s. */
    frictionWidth: column(f32, { default: 0, range: 'nonNegative' }),
    /** Takes damping and dry friction at the end of the substep, see {@link articulated}. Default as the plugin says. */
    implicitJoint: resource<boolean>({ required: false }),
    /** Limits of the coordinate, rad or m; of a ball joint, `upper` is the most that it turns. */
    lower: column(f32, { default: -NO_LIMIT }),
    upper: column(f32, { default: NO_LIMIT }),
    /** Beyond limits, N m/rad or N/m; and N m s/rad or N s/m. */
    limitStiffness: column(f32, { default: 0, range: 'nonNegative' }),
    limitDamping: column(f32, { default: 0, range: 'nonNegative' }),
    /** Inertia of what turns with the joint alone, a rotor: kg m^2, or kg of prismatic joints. */
    armature: column(f32, { default: 0, range: 'nonNegative' }),
  },
  {
    /** What acts along the axis of a joint, N m or N; about the axes of a link on a ball joint, N m. */
    effort: sum(f32),
    ballEffort: sum(vec3, { unit: 'N m' }),
    /** What acts on the link from outside, world axes: at its centre of mass, and about it. */
    force: sum(vec3, { unit: 'N' }),
    torque: sum(vec3, { unit: 'N m' }),
    /** The second derivatives of coordinates, rotations and translations. */
    acceleration: sum(f32),
    angularAcceleration: sum(vec3, { unit: 'rad/s^2' }),
    linearAcceleration: sum(vec3, { unit: 'm/s^2' }),
    /** Where the joint is in the world, and from the link's axes to the world's, as a frame shows them. */
    position: sum(vec3, { unit: 'm' }),
    worldOrientation: sum(quat),
    /** The same in a substep, for what touches the link: of its centre of mass. */
    centrePosition: sum(vec3, { unit: 'm' }),
    centreVelocity: sum(vec3, { unit: 'm/s' }),
    bodyOrientation: sum(quat),
    bodyAngularVelocity: sum(vec3, { unit: 'rad/s' }),
    /** What rounding has left of states. */
    coordinateCarry: made(f32),
    rateCarry: made(f32),
    orientationCarry: made(quat),
    angularVelocityCarry: made(vec3, { unit: 'rad/s' }),
    translationCarry: made(vec3, { unit: 'm' }),
    velocityCarry: made(vec3, { unit: 'm/s' }),
  },
);
