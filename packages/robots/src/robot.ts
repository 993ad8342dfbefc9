import type { ConstraintKind, JointKind, Link } from '@gradsim/articulated';
import type { Quaternion, Vector } from '@gradsim/base';
import type { ValuesOf } from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';

import type { ReadFile } from './mesh-files.ts';
import type { Pose } from './pose.ts';

/** Values of a robot's link for `scene.add(Link, ...)`, except its parent. */
export interface LinkValues {
  readonly joint: JointKind;
  readonly anchor: Vector;
  readonly restOrientation: Quaternion;
  readonly axis?: Vector;
  readonly mass: number;
  readonly centre: Vector;
  readonly inertia: readonly number[];
  readonly mesh?: TriangleMesh;
  readonly stiffness?: number;
  readonly restCoordinate?: number;
  readonly damping?: number;
  readonly dryFriction?: number;
  readonly frictionStiffness?: number;
  readonly implicitJoint?: boolean;
  readonly lower?: number;
  readonly upper?: number;
  readonly limitStiffness?: number;
  readonly limitDamping?: number;
  readonly armature?: number;
}

export interface RobotLink {
  /**
   * Name of the URDF link or MJCF body; of an MJCF body with several joints, only its last link has the body's name.
   */
  readonly name: string;
  /** Name of the joint between the link and its parent. */
  readonly jointName: string;
  /** Index in `links` of the parent link, below this link's own index; undefined for the world. */
  readonly parent?: number;
  /** Joint coordinate of the file at which the link's coordinate is 0, rad or m. Default 0. */
  readonly reference?: number;
  /** Limits of the joint as the file has them. */
  readonly limits?: JointLimits;
  /** True for one of the joints that stand for a floating base where logs are read. */
  readonly isOfBase?: boolean;
  readonly values: LinkValues;
}

/** Limits of a joint: its coordinate as the link has it, rad or m, and the size of its rate, rad/s or m/s. */
export interface JointLimits {
  readonly lower?: number;
  readonly upper?: number;
  readonly speed?: number;
}

/**
 * An actuator of a joint, as read from a file. `addActuators` adds it to a scene; a program may use it for a
 * controller.
 */
export interface Actuator {
  readonly name: string;
  /**
   * Force law. `general`: `gain` times the control, plus `bias[0]` + `bias[1]` times the length + `bias[2]` times its
   * rate. For a revolute joint `bias` is in [N m, N m/rad, N m s/rad], for a prismatic one in [N, N/m, N s/m].
   */
  readonly kind: 'motor' | 'position' | 'velocity' | 'general';
  /** Index in `links` of the link whose joint is actuated. */
  readonly link: number;
  /**
   * Torque or force of the joint per unit of actuator force. The actuator's length is `gear` times the joint's
   * coordinate.
   */
  readonly gear: number;
  /**
   * Proportional gain of `position`, N m/rad or N/m. `kv`: derivative gain of `position` and `velocity`, N m s/rad or N
   * s/m.
   */
  readonly kp?: number;
  readonly kv?: number;
  readonly gain?: number;
  readonly bias?: readonly [number, number, number];
  readonly controlRange?: readonly [number, number];
  /** Range of the actuator's force, before `gear`, N m or N. */
  readonly forceRange?: readonly [number, number];
}

export interface Robot {
  readonly name: string;
  /** Links of the robot; parents precede their children. */
  readonly links: readonly RobotLink[];
  readonly actuators: readonly Actuator[];
  /** Joints that follow others, if any. */
  readonly mimics?: readonly Mimic[];
  /** Constraints that close loops of links, if any. */
  readonly constraints?: readonly RobotConstraint[];
  /** Name and place of an accelerometer on a floating base, in the axes of the base, if the file has one. */
  readonly inertialUnit?: { readonly name: string; readonly pose: Pose };
  /** Gravitational acceleration, m/s^2, if the file specifies it. */
  readonly gravity?: Vector;
  /** A sentence for each part of the file that was ignored. */
  readonly passedOver: readonly string[];
}

/** A joint that follows another one: its coordinate is `multiplier` times that of the joint `leader`, plus `offset`. */
export interface Mimic {
  readonly joint: string;
  readonly leader: string;
  readonly multiplier: number;
  readonly offset: number;
}

/**
 * A constraint between two links, or of one to the world, as `Constraint` of `@gradsim/articulated` has it: points in the
 * axes of the links, or of the file where there is no `otherLink`. A `gear` without `otherLink` holds its coordinate at `offset`.
 */
export interface RobotConstraint {
  readonly name: string;
  readonly kind: ConstraintKind;
  /** Indices in `links`. */
  readonly link: number;
  readonly otherLink?: number;
  readonly point?: Vector;
  readonly otherPoint?: Vector;
  readonly restOrientation?: Quaternion;
  readonly offset?: number;
}

/** Options for reading a robot file. */
export interface RobotOptions {
  /** Name of the file, for messages. Default `the robot`. */
  readonly file?: string;
  /** Reads a referenced file by its path; required for meshes and for `<include>`. */
  readonly readFile?: ReadFile;
  /**
   * Which shapes of the file form the mesh of a link: the visual or the collision ones; `none` if masses and joints alone are
   * wanted, as for torques: then only files of meshes are read that masses are computed from. Default `visual`.
   */
  readonly shapes?: 'visual' | 'collision' | 'none';
  /** False to leave actuators unread, such as those of laws that there are not. Default true. */
  readonly actuators?: boolean;
  /**
   * Stiffness of joint limits, N m/rad or N/m, which robot files do not specify. Without it, limits do not act.
   * `limitDamping`: their damping, N m s/rad or N s/m.
   */
  readonly limitStiffness?: number;
  readonly limitDamping?: number;
  /**
   * Slope of the dry friction force against the rate around zero, N m s/rad or N s/m. Default: derived from the
   * substep, see `Link.frictionWidth`.
   */
  readonly frictionStiffness?: number;
  /**
   * True if joints evaluate damping and dry friction at the end of a substep, so that large coefficients stay stable.
   * Default true. If false, they are explicit, and dry friction acts only with `frictionStiffness`.
   */
  readonly implicitJoints?: boolean;
}

/** Pose of a robot in a scene, and initial state of its joints. */
export interface RobotPlace {
  /** Position of the file's origin in the world, m. Default (0, 0, 0). */
  readonly position?: Vector;
  /** Rotation from the file's axes, in which z usually is up, to the world's: unit quaternion (x, y, z, w). */
  readonly orientation?: Quaternion;
  /** Columns of links that replace or add to those of the file, by joint name: `{ elbow: { coordinate: 0.5 } }`. */
  readonly joints?: Readonly<Record<string, Partial<Omit<ValuesOf<typeof Link>, 'parent' | 'joint'>>>>;
}
