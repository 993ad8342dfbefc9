import {
  add,
  multiplyQuaternions,
  normalize,
  normalizeQuaternion,
  type Quaternion,
  rotate,
  scale,
  type Vector,
} from '@gradsim/base';
import type { Entity, Scene } from '@gradsim/core';
import { hasAxis, turnsFreely } from '../joint.ts';
import type { JointKind } from '../link.ts';
import { Link } from '../link.ts';

export interface Pose {
  /** Position of the joint in the world, m. */
  readonly position: Vector;
  /** Orientation: quaternion (x, y, z, w), link to world. */
  readonly orientation: Quaternion;
}

/**
 * Returns the pose of a link in the world, from the values in its scene.
 * @param knownPoses cache of poses by link: poses in it are used, and computed ones are added.
 */
export function poseOf(scene: Scene, link: Entity, knownPoses: Map<Entity, Pose> = new Map()): Pose {
  const before = knownPoses.get(link);
  if (before) return before;
  const values = (name: string): number[] => Array.from(scene.get(link, Link, name));
  const joint = scene.object(link, Link, 'joint') as JointKind;
  const parent = scene.object(link, Link, 'parent') as Entity | undefined;
  const around: Pose =
    parent === undefined ? { position: [0, 0, 0], orientation: [0, 0, 0, 1] } : poseOf(scene, parent, knownPoses);
  const atRest = multiplyQuaternions(around.orientation, normalizeQuaternion(values('restOrientation')));
  let [position, orientation] = [add(around.position, rotate(around.orientation, values('anchor'))), atRest];
  if (joint === 'free') position = add(position, rotate(around.orientation, values('translation')));
  if (turnsFreely(joint)) orientation = multiplyQuaternions(atRest, normalizeQuaternion(values('jointOrientation')));
  if (hasAxis(joint)) {
    const [axis, [coordinate]] = [normalize(values('axis')), values('coordinate')];
    if (joint === 'prismatic') position = add(position, rotate(atRest, scale(axis, coordinate)));
    else {
      const turn: Quaternion = [...scale(axis, Math.sin(coordinate / 2)), Math.cos(coordinate / 2)];
      orientation = multiplyQuaternions(atRest, turn);
    }
  }
  const pose = { position, orientation };
  knownPoses.set(link, pose);
  return pose;
}
