import { composedPose, ORIGIN, type Pose } from '../../pose.ts';
import type { Robot } from '../../robot.ts';

/** Link whose name says that it stands for an inertial unit. */
const UNIT_NAME = /(^|[^a-z])imu([^a-z]|$)/i;

/**
 * Place of the inertial unit in the axes of a floating base: that of an accelerometer's site of MJCF, or of a link fixed to the
 * base whose name has `imu`; else the base's own.
 */
export function placeOfUnit({ links, inertialUnit }: Robot): { readonly name: string; readonly pose: Pose } {
  if (inertialUnit) return inertialUnit;
  const poses: (Pose | undefined)[] = [ORIGIN];
  for (const { name, parent = 0, values } of links.slice(1)) {
    const { anchor: position, restOrientation: orientation } = values;
    const carrier = values.joint === 'fixed' ? poses[parent] : undefined;
    const pose = carrier && composedPose(carrier, { position, orientation });
    poses.push(pose);
    if (pose && UNIT_NAME.test(name)) return { name, pose };
  }
  return { name: links[0].name, pose: ORIGIN };
}
