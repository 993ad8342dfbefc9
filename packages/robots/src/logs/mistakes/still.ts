import { GradsimError } from '@gradsim/core';
import type { Robot } from '../../robot.ts';
import { axisJoints } from '../axis-joints.ts';
import type { JointLog } from '../reading/joint-log.ts';

/** Range of a joint's coordinate below which it counts as still, rad or m: that of one step of an encoder of 12 bits. */
const STILL = 2e-3;

/** True if a joint of these coordinates stands still, so that its friction may be any. */
export function isStill(coordinates: ArrayLike<number>): boolean {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let s = 0; s < coordinates.length; s++) {
    least = Math.min(least, coordinates[s]);
    most = Math.max(most, coordinates[s]);
  }
  return most - least < STILL;
}

/**
 * Refuses logs in none of which a joint moves; in one of them it may stand still, as where joints move one at a time.
 * @throws GradsimError naming the joint.
 */
export function refuseStill(robot: Robot, logs: readonly JointLog[]): void {
  const names = axisJoints(robot);
  const joint = names.find((_, j) => logs.every(({ positions }) => isStill(positions[j])));
  if (joint === undefined) return;
  const [first] = logs[0].positions[names.indexOf(joint)];
  throw new GradsimError(
    'robots/log-joint-still',
    `${logs.map(({ name }) => name).join(', ')}: joint "${joint}" never moves; it stays at ${Number(first.toPrecision(5))}.`,
    { element: joint, hint: 'Give a recording in which it moves, or a model in which the joint is fixed.' },
  );
}
