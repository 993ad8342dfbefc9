import { GradsimError } from '@gradsim/core';
import type { Robot } from '../../robot.ts';
import { axisJoints, hasLoggedJoint } from '../axis-joints.ts';
import { isStill } from '../reading/is-still.ts';
import type { JointLog } from '../reading/joint-log.ts';

/**
 * Refuses logs in none of which a joint moves; in one of them it may stand still, as where joints move one at a time.
 * @throws GradsimError naming the joint.
 */
export function refuseStill(robot: Robot, logs: readonly JointLog[]): void {
  const names = axisJoints(robot);
  const joints = robot.links.filter(hasLoggedJoint);
  // In flight a base that stands still says something.
  const joint = names.find((_, j) => !joints[j].isOfBase && logs.every(({ positions }) => isStill(positions[j])));
  if (joint === undefined) return;
  const [first] = logs[0].positions[names.indexOf(joint)];
  throw new GradsimError(
    'robots/log-joint-still',
    `${logs.map(({ name }) => name).join(', ')}: joint "${joint}" never moves; it stays at ${Number(first.toPrecision(5))}.`,
    { element: joint, hint: 'Give a recording in which it moves, or a model in which the joint is fixed.' },
  );
}
