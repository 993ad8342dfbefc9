import type { Entity, Scene } from '@gradsim/core';
import { hasAxis, turnsFreely } from './joint.ts';
import type { JointKind } from './link.ts';
import { Link } from './link.ts';

export type Quaternion = readonly number[];
export interface Pose {
  /** Of the joint. */
  readonly position: readonly number[];
  /** From the link's axes to the world's. */
  readonly orientation: Quaternion;
}

/**
 * Pose of a link in the world, by the values that its scene has.
 * @param known poses by link: those that are there are used, and those found on the way are added.
 */
export function poseOf(scene: Scene, link: Entity, known: Map<Entity, Pose> = new Map()): Pose {
  const before = known.get(link);
  if (before) return before;
  const values = (name: string): number[] => Array.from(scene.get(link, Link, name));
  const joint = scene.object(link, Link, 'joint') as JointKind;
  const parent = scene.object(link, Link, 'parent') as Entity | undefined;
  const around: Pose =
    parent === undefined ? { position: [0, 0, 0], orientation: [0, 0, 0, 1] } : poseOf(scene, parent, known);
  const atRest = times(around.orientation, unit(values('restOrientation')));
  let [position, orientation] = [
    plus(around.position, turn(around.orientation, values('anchor'))),
    atRest as Quaternion,
  ];
  if (joint === 'free') position = plus(position, turn(around.orientation, values('translation')));
  if (turnsFreely(joint)) orientation = times(atRest, unit(values('jointOrientation')));
  if (hasAxis(joint)) {
    const [axis, [coordinate]] = [unit(values('axis')), values('coordinate')];
    if (joint === 'prismatic')
      position = plus(
        position,
        turn(
          atRest,
          axis.map((a) => a * coordinate),
        ),
      );
    else {
      const sine = Math.sin(coordinate / 2);
      orientation = times(atRest, [...axis.map((a) => a * sine), Math.cos(coordinate / 2)]);
    }
  }
  const pose = { position, orientation };
  known.set(link, pose);
  return pose;
}

const plus = (a: readonly number[], b: readonly number[]): number[] => a.map((x, k) => x + b[k]);
export const unit = (v: readonly number[]): number[] => v.map((x) => x / Math.hypot(...v));
export const conjugate = ([x, y, z, w]: Quaternion): number[] => [-x, -y, -z, w];
const times = ([a, b, c, d]: Quaternion, [x, y, z, w]: Quaternion): number[] => [
  d * x + a * w + b * z - c * y,
  d * y - a * z + b * w + c * x,
  d * z + a * y - b * x + c * w,
  d * w - a * x - b * y - c * z,
];
export const turn = (q: Quaternion, [x, y, z]: readonly number[]): number[] =>
  times(times(q, [x, y, z, 0]), conjugate(q)).slice(0, 3);
