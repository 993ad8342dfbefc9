import { scale } from '@gradsim/base';
import { composedPose, ORIGIN, type Pose, rotationAboutAxis } from './pose.ts';
import type { Robot } from './robot.ts';

/** Poses of the links in the axes of the file, at coordinates of the joints that are not fixed. */
export function posesOf({ links }: Robot, coordinates: readonly number[]): Pose[] {
  const poses: Pose[] = [];
  let joint = 0;
  for (const { parent, values } of links) {
    const { anchor: position, restOrientation: orientation, axis = [0, 0, 1] } = values;
    const rest = composedPose(parent === undefined ? ORIGIN : poses[parent], { position, orientation });
    const q = values.joint === 'fixed' ? 0 : coordinates[joint++];
    const turned =
      values.joint === 'prismatic'
        ? { ...ORIGIN, position: scale(axis, q) }
        : { ...ORIGIN, orientation: rotationAboutAxis(axis, q) };
    poses.push(composedPose(rest, turned));
  }
  return poses;
}
