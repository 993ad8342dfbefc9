import { followingStates, refuseMimic } from '../../couplings.ts';
import type { Robot } from '../../robot.ts';
import { axisJoints } from '../axis-joints.ts';
import { JOINT_PARAMETERS, rigidRegressor } from '../regressor.ts';

/*
 * Joints that follow others move with a leader: q = factor q_leader + offset. Virtual work gives one equation for the group,
 * the sum of factor times torque over its joints, in which forces of the coupling do not come.
 */

/** Joints that move with a joint, itself among them, and by how much; none for a joint that follows: [joint][joint, factor]. */
export type Groups = readonly (readonly (readonly [joint: number, factor: number])[])[];

/** Names of the joints that follow others. */
export const followers = ({ mimics = [] }: Robot): string[] => mimics.map(({ joint }) => joint);

/** Joints that move together, by the joint that they follow in the end. @throws for joints that follow in a circle. */
export function groupsOf(robot: Robot): Groups {
  const joints = axisJoints(robot, true);
  return joints.map((joint) => {
    if (followers(robot).includes(joint)) return [];
    const moved = followingStates(robot, { [joint]: { rate: 1 } });
    const own = joints.flatMap((name, k): [number, number][] => {
      const factor = Object.hasOwn(moved, name) ? moved[name].rate : 0;
      return factor === 0 ? [] : [[k, factor]];
    });
    return [[joints.indexOf(joint), 1], ...own];
  });
}

/** Coordinates of all joints, rad or m as links have them, from those of the joints that others follow: [joint][sample]. */
export function followed<T extends readonly number[] | Float64Array>(robot: Robot, positions: readonly T[]): T[] {
  const joints = axisJoints(robot, true);
  const offsets = followingStates(robot, {});
  const all = positions.slice();
  for (const [leader, group] of groupsOf(robot).entries())
    for (const [k, factor] of group.slice(1))
      all[k] = positions[leader].map((x) => factor * x + offsets[joints[k]].coordinate) as T;
  return all;
}

/** Sums what joints have over those that move together, times their factors; empty arrays are zero: [joint][sample]. */
export const gathered = (groups: Groups, of: readonly Float64Array[]): Float64Array[] =>
  groups.map((group, j) => {
    if (group.length === 0) return new Float64Array(of[j].length);
    if (group.length === 1) return of[j];
    const sum = new Float64Array(Math.max(...group.map(([k]) => of[k].length)));
    for (const [k, factor] of group) for (let s = 0; s < of[k].length; s++) sum[s] += factor * of[k][s];
    return sum;
  });

/** Regressor of the torque of a joint at unit acceleration from rest, without gravity, with what moves with it. */
export function rowAtAcceleration(robot: Robot, joint: number): number[] {
  const groups = groupsOf(robot);
  const by = new Map(groups[joint]);
  const zeros = groups.map(() => 0);
  const unit = rigidRegressor(robot, { q: zeros, v: zeros, a: zeros.map((_, k) => by.get(k) ?? 0) }, [0, 0, 0]);
  const armatures = zeros.flatMap((_, k) =>
    JOINT_PARAMETERS.map((name) => (name === 'armature' ? (by.get(k) ?? 0) ** 2 : 0)),
  );
  return [...gathered(groups, unit)[joint], ...armatures];
}

/** @throws GradsimError for unknowns of single joints, which are not told apart where joints move together. */
export function refuseOfCoupled(
  robot: Robot,
  {
    zeros = 0,
    torqueGain,
    torqueBias,
  }: { readonly zeros?: number; readonly torqueGain?: string; readonly torqueBias?: string },
): void {
  const [first] = robot.mimics ?? [];
  if (first && (zeros > 0 || torqueGain === 'unknown' || torqueBias === 'unknown'))
    refuseMimic(robot.name, first, 'where zeros, torqueGain and torqueBias cannot be unknown');
}
