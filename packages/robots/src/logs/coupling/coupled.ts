import { GradsimError } from '@gradsim/core';
import { refuseLoops, refuseMimic } from '../../couplings.ts';
import type { Robot } from '../../robot.ts';
import { axisJoints } from '../axis-joints.ts';
import { JOINT_PARAMETERS, rigidRegressor } from '../regressor.ts';
import { type Loops, loopsOf } from './loops.ts';

/*
 * Joints that follow others, by a coupling or by a loop of links. Virtual work gives one equation for what moves with a leader:
 * the sum of factor times torque over its joints, in which forces of couplings and loops do not come.
 */

/**
 * Joints that move with a leader, itself first, and by how much: one number, or one in each sample where loops close; none for
 * a joint that follows: [joint][joint, factor].
 */
export type Groups = readonly (readonly (readonly [joint: number, factor: number | Float64Array])[])[];

/** Names of the joints that follow others. */
export const followers = (robot: Robot): string[] => {
  const joints = axisJoints(robot, true);
  return (loopsOf(robot)?.followers ?? []).map((j) => joints[j]);
};

/** Joints that move together where all that lead are at 0. @throws for joints that follow in a circle. */
export function groupsOf(robot: Robot): Groups {
  const loops = loopsOf(robot);
  if (!loops) return axisJoints(robot, true).map((_, j) => [[j, 1]]);
  const factors = loops.factors(loops.restCoordinates);
  return grouped(loops, (i, j) => factors[i][j]);
}

/** Groups by the factor of a follower, by its place in `followers`, with a joint that leads it. */
const grouped = (
  { followersOf, followers: own, restCoordinates }: Loops,
  factorOf: (follower: number, joint: number) => number | Float64Array,
): Groups =>
  restCoordinates.map((_, j) =>
    own.includes(j)
      ? []
      : [
          [j, 1],
          ...followersOf[j].flatMap((k): [number, number | Float64Array][] => {
            const factor = factorOf(own.indexOf(k), j);
            return factor === 0 ? [] : [[k, factor]];
          }),
        ],
  );

/** Greatest step of a joint between places where loops are closed in turn, rad or m, so that links keep their side. */
const STRIDE = 0.05;

/**
 * Coordinates of all joints, rad or m as links have them, from those of the joints that others follow, and how they move
 * together: [joint][sample].
 * @throws GradsimError for coordinates at which a loop does not close.
 */
export function coupledMotion(
  robot: Robot,
  positions: readonly ArrayLike<number>[],
): { readonly positions: Float64Array[]; readonly groups: Groups } {
  const loops = loopsOf(robot);
  const all = positions.map((own) => Float64Array.from(own));
  if (!loops) return { positions: all, groups: groupsOf(robot) };
  const { followers: own, followersOf, restCoordinates } = loops;
  if (!robot.constraints) {
    const factors = loops.factors(restCoordinates);
    for (const [i, k] of own.entries())
      all[k].forEach((_, s) => {
        all[k][s] =
          restCoordinates[k] + factors[i].reduce((sum, by, j) => (by === 0 ? sum : sum + by * positions[j][s]), 0);
      });
    return { positions: all, groups: grouped(loops, (i, j) => factors[i][j]) };
  }
  const shares = own.map((k) =>
    restCoordinates.map((_, j) => new Float64Array(followersOf[j].includes(k) ? all[j].length : 0)),
  );
  let q = restCoordinates.slice();
  for (const s of all[0].keys()) {
    const from = q;
    const ways = from.map((x, j) => (own.includes(j) ? 0 : positions[j][s] - x));
    const steps = Math.max(Math.ceil(Math.max(...ways.map(Math.abs)) / STRIDE), 1);
    for (let step = 1; step <= steps; step++) {
      q = q.map((x, j) => (own.includes(j) ? x : from[j] + (step / steps) * ways[j]));
      if (!loops.closeLoops(q)) refuseOpen(robot, q, own);
    }
    const factors = loops.factors(q);
    for (const [i, k] of own.entries()) {
      all[k][s] = q[k];
      for (const [j, share] of shares[i].entries()) if (share.length > 0) share[s] = factors[i][j];
    }
  }
  return { positions: all, groups: grouped(loops, (i, j) => shares[i][j]) };
}

function refuseOpen(robot: Robot, q: readonly number[], following: readonly number[]): never {
  const joints = axisJoints(robot, true);
  const leading = q.flatMap((x, j) => (following.includes(j) ? [] : [`${joints[j]} ${Number(x.toPrecision(4))}`]));
  throw new GradsimError(
    'robots/loop-open',
    `${robot.name}: at ${leading.join(', ')} (rad or m) no coordinates of ${following.map((j) => joints[j]).join(', ')} close the loops of its links.`,
    {
      element: robot.constraints?.[0].name,
      hint: 'Correct lengths and anchors of the model, or zeros and signs of the logged positions. A linkage that is stretched out moves either way: leave such times out.',
    },
  );
}

/** Sums what joints have over those that move together, times their factors; empty arrays are zero: [joint][sample]. */
export const sumOverGroups = (groups: Groups, jointSamples: readonly Float64Array[]): Float64Array[] =>
  groups.map((group, j) => {
    if (group.length === 0) return new Float64Array(jointSamples[j].length);
    if (group.length === 1) return jointSamples[j];
    const sum = new Float64Array(Math.max(...group.map(([k]) => jointSamples[k].length)));
    for (const [k, factor] of group) {
      const own = jointSamples[k];
      if (typeof factor === 'number') for (let s = 0; s < own.length; s++) sum[s] += factor * own[s];
      else for (let s = 0; s < own.length; s++) sum[s] += factor[s] * own[s];
    }
    return sum;
  });

/** Regressor of the torque of a joint at unit acceleration from rest, without gravity, with what moves with it. */
export function rowAtAcceleration(robot: Robot, joint: number): number[] {
  const groups = groupsOf(robot);
  const by = new Map(groups[joint] as readonly (readonly [number, number])[]);
  const zeros = groups.map(() => 0);
  const a = zeros.map((_, k) => by.get(k) ?? 0);
  const unit = rigidRegressor(robot, { q: loopsOf(robot)?.restCoordinates ?? zeros, v: zeros, a }, [0, 0, 0]);
  const armatures = a.flatMap((x) => JOINT_PARAMETERS.map((name) => (name === 'armature' ? x ** 2 : 0)));
  return [...sumOverGroups(groups, unit)[joint], ...armatures];
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
  if (!(zeros > 0 || torqueGain === 'unknown' || torqueBias === 'unknown')) return;
  const why = 'where zeros, torqueGain and torqueBias cannot be unknown';
  refuseLoops(robot, why);
  const [first] = robot.mimics ?? [];
  if (first) refuseMimic(robot.name, first, why);
}
