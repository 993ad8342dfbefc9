import { GradsimError } from '@gradsim/core';
import type { Robot } from '../../robot.ts';
import { axisJoints, referencesOf } from '../axis-joints.ts';
import { coupledMotion, followers } from '../coupling/coupled.ts';

/** Part of the range of a joint that follows by which its own column may differ from what it follows. */
const FOLLOWS = 0.1;

/**
 * Coordinates of the file of all joints, those of joints that follow others from what they follow.
 * @throws GradsimError for a joint whose column does not follow.
 */
export function followedIn(robot: Robot, measured: readonly number[][], name: string): number[][] {
  if (followers(robot).length === 0) return measured as number[][];
  const joints = axisJoints(robot, true);
  const references = referencesOf(robot);
  const { positions } = coupledMotion(
    robot,
    measured.map((own, j) => own.map((x) => x - references[j])),
  );
  const all = positions.map((own, j) => Array.from(own, (x) => x + references[j]));
  for (const [j, own] of all.entries()) {
    const [least, most] = [own.reduce((a, b) => Math.min(a, b)), own.reduce((a, b) => Math.max(a, b))];
    const apart = own.reduce((far, x, s) => Math.max(far, Math.abs(x - measured[j][s]) || 0), 0);
    if (apart > FOLLOWS * (most - least))
      throw new GradsimError(
        'robots/log-not-following',
        `${name}: joint "${joints[j]}" is up to ${apart.toPrecision(3)} off from where ${robot.constraints ? 'loops of links, and joints that it follows, have' : 'the joint that it follows has'} it.`,
        {
          element: joints[j],
          hint: 'Correct the model: multiplier and offset of what it follows, lengths of a loop; or remove its <mimic> or <equality> if it moves by itself.',
        },
      );
  }
  return all;
}
