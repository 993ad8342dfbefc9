import { GradsimError } from '@gradsim/core';
import type { Robot } from '../robot.ts';

/**
 * Names of a robot's joints with an axis, in the order of its links.
 * @throws GradsimError for a robot without one, and for ball and free joints, which logs of joints do not cover.
 */
export function axisJoints(robot: Robot): string[] {
  const other = robot.links.find(({ values: { joint } }) => joint === 'ball' || joint === 'free');
  if (other)
    throw new GradsimError(
      'robots/log-joint-kind',
      `${robot.name}: joint "${other.jointName}" is ${other.values.joint}; a log covers revolute and prismatic joints.`,
      { element: other.jointName, hint: 'Fix the base of the robot, and model a ball joint by hinges.' },
    );
  const names = robot.links.filter(({ values }) => values.joint !== 'fixed').map(({ jointName }) => jointName);
  if (names.length === 0) throw new GradsimError('robots/log-no-joint', `${robot.name} has no joint that could move.`);
  return names;
}
