import { GradsimError } from '@gradsim/core';
import type { Robot, RobotLink } from '../robot.ts';

/** True for a link whose joint logs cover: one with an axis. */
export const hasLoggedJoint = ({ values: { joint } }: RobotLink): boolean => joint !== 'fixed' && joint !== 'free';

/** Coordinates in the robot's file at which its own are 0, of the joints that logs cover. */
export const referencesOf = ({ links }: Robot): number[] =>
  links.filter(hasLoggedJoint).map(({ reference = 0 }) => reference);

/**
 * Names of a robot's joints with an axis, in the order of its links.
 * @param mayFloat true if the base may be on a free joint.
 * @throws GradsimError for a robot without one, and for ball and other free joints, which logs of joints do not cover.
 */
export function axisJoints(robot: Robot, mayFloat = false): string[] {
  const other = robot.links.find(
    ({ parent, values: { joint } }, k) =>
      joint === 'ball' || (joint === 'free' && !(mayFloat && k === 0 && parent === undefined)),
  );
  if (other)
    throw new GradsimError(
      'robots/log-joint-kind',
      `${robot.name}: joint "${other.jointName}" is ${other.values.joint}; a log covers revolute and prismatic joints.`,
      { element: other.jointName, hint: 'Fix the base of the robot, and model a ball joint by hinges.' },
    );
  const names = robot.links.filter(hasLoggedJoint).map(({ jointName }) => jointName);
  if (names.length === 0) throw new GradsimError('robots/log-no-joint', `${robot.name} has no joint that could move.`);
  return names;
}
