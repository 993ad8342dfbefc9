import type { JointKind } from '@gradsim/articulated';
import { Link } from '@gradsim/articulated';
import type { Entity, Scene, ValuesOf } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';
import { add, multiplyQuaternions, type Quaternion, rotate, type Vector } from '@gradsim/numeric';

import type { ReadFile } from './mesh-files.ts';
import { ORIGIN } from './pose.ts';

/** Options of `scene.add(Link, ...)`, without the parent. */
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
  /** Name of the link or body; for joints before a body's last one, the joint's. */
  readonly name: string;
  /** Name of its joint. */
  readonly jointName: string;
  /** Index in `links` of its parent, which precedes it; undefined for the world. */
  readonly parent?: number;
  /** Coordinate in the file where the link's coordinate is 0, rad or m; 0 by default. */
  readonly reference?: number;
  readonly values: LinkValues;
}

/** An actuator of a joint: added to a scene by `addActuators`, or read by a program for a controller of its own. */
export interface Actuator {
  readonly name: string;
  /** A general one is `gain` times control and `bias`: [N m, N m/rad, N m s/rad], of 1, length and rate. */
  readonly kind: 'motor' | 'position' | 'velocity' | 'general';
  /** Index in `links`. */
  readonly link: number;
  /** Torque or force of the joint per that of the actuator; its length is gear times the coordinate. */
  readonly gear: number;
  /** Gains of `position` and `velocity`: N m/rad or N/m, and N m s/rad or N s/m. */
  readonly kp?: number;
  readonly kv?: number;
  readonly gain?: number;
  readonly bias?: readonly [number, number, number];
  readonly controlRange?: readonly [number, number];
  /** Range of the force, N m or N. */
  readonly forceRange?: readonly [number, number];
}

export interface Robot {
  readonly name: string;
  /** Parents before their children. */
  readonly links: readonly RobotLink[];
  readonly actuators: readonly Actuator[];
  /** m/s^2, where the file says it. */
  readonly gravity?: Vector;
  /** A sentence for each part of the file that the robot is without. */
  readonly passedOver: readonly string[];
}

/** Options of reading a robot. */
export interface RobotOptions {
  /** Name of the file in messages. Default `the robot`. Default `the robot`. */
  readonly file?: string;
  /** Needed for meshes. */
  readonly readFile?: ReadFile;
  /**
   * Shapes of a file that become the mesh of a link: the visual ones, or the collision ones. Default `visual`. Default
   * `visual`.
   */
  readonly shapes?: 'visual' | 'collision';
  /**
   * Stiffness and damping of limits, which files do not have: N m/rad or N/m, and N m s/rad or N s/m. Without them,
   * limits do not act. Without, limits do not act.
   */
  readonly limitStiffness?: number;
  readonly limitDamping?: number;
  /**
   * Slope of dry friction through zero, N m s/rad or N s/m. Default: it follows from the substep, see
   * `Link.frictionWidth`.
   */
  readonly frictionStiffness?: number;
  /**
   * True if joints evaluate damping and dry friction at the end of a substep, so that neither limits it. Default true.
   * Without, as explicit Euler has it, dry friction does not act without `frictionStiffness`.
   */
  readonly implicitJoints?: boolean;
}

/** Initial pose and state of a robot in a scene. */
export interface RobotPlace {
  /** Position of the file's origin, m. */
  readonly position?: Vector;
  /** From the file's axes, z up by custom, to the world's: unit quaternion (x, y, z, w). */
  readonly orientation?: Quaternion;
  /** Columns of links besides those of the file, by the name of the joint: `{ elbow: { coordinate: 0.5 } }`. */
  readonly joints?: Readonly<Record<string, Partial<Omit<ValuesOf<typeof Link>, 'parent' | 'joint'>>>>;
}

/**
 * Adds the links of a robot to a scene.
 *
 * ```ts
 * const robot = await readUrdf(text, { file: 'arm.urdf' });
 * const links = addRobot(scene, robot, { joints: { elbow: { coordinate: 0.5 } } });
 * ```
 *
 * @returns their entities, in the order of `robot.links`.
 * @throws GradsimError for a joint that the robot does not have.
 */
export function addRobot(scene: Scene, robot: Robot, place: RobotPlace = {}): Entity[] {
  const { position, orientation, joints = {} } = { ...ORIGIN, ...place };
  const names = robot.links.map(({ jointName }) => jointName);
  const unknown = Object.keys(joints).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new GradsimError(
      'robots/unknown-joint',
      `addRobot: ${robot.name} has no joint "${unknown}"; its joints are ${names.join(', ')}.`,
    );
  const called = scene.nameGroup('robot', robot.name);
  const entities: Entity[] = [];
  for (const { name, jointName, parent, values } of robot.links) {
    const placed =
      parent === undefined
        ? {
            anchor: add(position, rotate(orientation, values.anchor)),
            restOrientation: multiplyQuaternions(orientation, values.restOrientation),
          }
        : { parent: entities[parent] };
    const more = Object.hasOwn(joints, jointName) ? joints[jointName] : {};
    entities.push(scene.add(Link, { ...values, ...placed, ...more }, `link "${name}" of ${called}`));
  }
  return entities;
}
