import {
  add,
  choleskyFactor,
  conjugate,
  cross,
  multiplyQuaternions,
  rotate,
  solveByFactor,
  subtract,
  sumOfProducts,
  type Vector,
} from '@gradsim/base';
import { followingStates } from '../../couplings.ts';
import { ORIGIN, type Pose } from '../../pose.ts';
import { posesOf } from '../../poses.ts';
import type { Robot, RobotConstraint } from '../../robot.ts';

/*
 * Joints that others and loops of links lead: equations c(q) = 0 of coordinates, of which followers are solved for the leaders.
 * By c = 0, a change of the leaders moves followers by -(J_f^T J_f)^-1 J_f^T J_l, with the columns of the Jacobian of both
 * (virtual displacements; a plane loop in space has more rows than it needs).
 */

/** Joints that follow from others, and how to solve for them. Joints count as in a log. */
export interface Loops {
  /** Joints whose coordinates follow from those of the others. */
  readonly followers: readonly number[];
  /** Followers that a joint may move: none of a follower itself, nor of a joint that is in no loop and leads none. */
  readonly followersOf: readonly (readonly number[])[];
  /** Coordinates of all joints where all that lead are at 0. */
  readonly restCoordinates: readonly number[];
  /** Sets followers, from coordinates near theirs, to what the leaders say; false if nothing near closes the loops. */
  readonly closeLoops: (q: number[]) => boolean;
  /** Derivatives of the followers by the leaders: [follower][joint]; 0 by other joints. */
  readonly factors: (q: readonly number[]) => number[][];
}

/** Squared part of a column that others before it do not explain, from which on a joint follows. */
const INDEPENDENT = 1e-6;
/** Newton steps, at most, and the violation that ends them, m or rad; one that counts as closed. */
const [STEPS, EXACT, CLOSED] = [30, 1e-13, 1e-8];

/** Loops and couplings of a robot; undefined if there are none. @throws for joints that follow in a circle. */
export function loopsOf(robot: Robot): Loops | undefined {
  const { links, mimics = [], constraints = [], actuators } = robot;
  if (mimics.length === 0 && constraints.length === 0) return undefined;
  const moved = links.flatMap(({ values }, k) => (values.joint === 'fixed' ? [] : [k]));
  const jointOf = new Map(moved.map((link, j) => [link, j]));
  const named = new Map(moved.map((link, j) => [links[link].jointName, j]));
  const states = followingStates(robot, {});
  const restCoordinates = moved.map((link) => states[links[link].jointName]?.coordinate ?? 0);
  const equations = equationsOf(robot, jointOf, named);
  const coupled = equations.map((own) => own.joints);
  const driven = new Set(actuators.map(({ link }) => jointOf.get(link)));
  const inOrder = (isMeant: (joint: number) => boolean): number[] =>
    moved.flatMap((_, j) => (coupled.some((own) => own.includes(j)) && isMeant(j) ? [j] : [])).reverse();
  const first = mimics.map(({ joint }) => named.get(joint)!);
  // Motors lead where they can, so that their logs need no columns of passive joints.
  const tried = new Set([...first, ...inOrder((j) => !driven.has(j)), ...inOrder((j) => driven.has(j))]);
  const followers = independentOf(at(restCoordinates).rows, [...tried]);
  const solving = (
    rows: readonly (readonly number[])[],
    right: readonly (readonly number[])[],
  ): number[][] | undefined => {
    const normal = followers.map((i) => followers.map((k) => sumOfProducts(columnOf(rows, i), columnOf(rows, k))));
    const factor = choleskyFactor(normal);
    return (
      factor &&
      right.map((own) =>
        solveByFactor(
          factor,
          followers.map((i) => sumOfProducts(columnOf(rows, i), own)),
        ),
      )
    );
  };
  const closeLoops = (q: number[]): boolean => {
    let most = Number.POSITIVE_INFINITY;
    for (let step = 0; step < STEPS; step++) {
      const { residuals, rows } = at(q);
      const before = most;
      most = Math.max(...residuals.map(Math.abs));
      if (most < EXACT || (most < CLOSED && most >= before)) break;
      const change = solving(rows, [residuals])?.[0];
      if (!change?.every(Number.isFinite)) return false;
      for (const [i, j] of followers.entries()) q[j] -= change[i];
    }
    return most < CLOSED;
  };
  closeLoops(restCoordinates);
  return {
    followers,
    followersOf: moved.map((_, j) => (followers.includes(j) ? [] : ledBy(j, coupled, followers))),
    restCoordinates,
    closeLoops,
    factors: (q) => {
      const { rows } = at(q);
      const leaders = q.flatMap((_, j) => (followers.includes(j) ? [] : [j]));
      const solved = solving(
        rows,
        leaders.map((j) => columnOf(rows, j)),
      );
      return followers.map((_, i) =>
        q.map((__, j) => {
          const l = leaders.indexOf(j);
          return l < 0 || !solved ? 0 : -solved[l][i];
        }),
      );
    },
  };

  function at(q: readonly number[]): { residuals: number[]; rows: number[][] } {
    const poses = posesOf(robot, q);
    const all = equations.map(({ evaluate: of }) => of(q, poses));
    return { residuals: all.flatMap(({ residuals }) => residuals), rows: all.flatMap(({ rows }) => rows) };
  }
}

const columnOf = (rows: readonly (readonly number[])[], j: number): number[] => rows.map((row) => row[j]);

/** Columns that earlier ones do not explain, in the order given. */
function independentOf(rows: readonly (readonly number[])[], order: readonly number[]): number[] {
  const units: number[][] = [];
  return order
    .filter((j) => {
      const column = columnOf(rows, j);
      const size = sumOfProducts(column, column);
      const left = units.reduce((own, unit) => {
        const along = sumOfProducts(own, unit);
        return own.map((x, i) => x - along * unit[i]);
      }, column);
      const squares = sumOfProducts(left, left);
      if (!(squares > INDEPENDENT * size)) return false;
      units.push(left.map((x) => x / Math.sqrt(squares)));
      return true;
    })
    .sort((a, b) => a - b);
}

/** Followers that a joint may move: those of the equations that it comes in, and of those that share followers with them. */
function ledBy(joint: number, coupled: readonly (readonly number[])[], followers: readonly number[]): number[] {
  const reached = new Set([joint]);
  for (let size = 0; size < reached.size; ) {
    size = reached.size;
    for (const own of coupled)
      if (own.some((j) => reached.has(j) && (j === joint || followers.includes(j))))
        for (const j of own) reached.add(j);
  }
  return followers.filter((j) => reached.has(j));
}

/** Equations of a constraint or a coupling. */
interface Equation {
  /** Joints whose coordinates come in them. */
  readonly joints: readonly number[];
  readonly evaluate: (q: readonly number[], poses: readonly Pose[]) => { residuals: number[]; rows: number[][] };
}

function equationsOf(
  robot: Robot,
  jointOf: ReadonlyMap<number, number>,
  named: ReadonlyMap<string, number>,
): Equation[] {
  const { mimics = [], constraints = [] } = robot;
  const count = jointOf.size;
  const linear = (terms: readonly (readonly [number, number])[], offset: number): Equation => {
    const row = new Array<number>(count).fill(0);
    for (const [j, factor] of terms) row[j] += factor;
    return {
      joints: terms.map(([j]) => j),
      evaluate: (q) => ({ residuals: [sumOfProducts(row, q) - offset], rows: [row] }),
    };
  };
  return [
    ...mimics.map(({ joint, leader, multiplier, offset }) =>
      linear(
        [
          [named.get(joint)!, 1],
          [named.get(leader)!, -multiplier],
        ],
        offset,
      ),
    ),
    ...constraints.map((one) =>
      one.kind === 'gear'
        ? linear([[jointOf.get(one.link)!, 1]], one.offset ?? 0)
        : closureEquations(robot, one, jointOf),
    ),
  ];
}

const AXES: readonly Vector[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** Equations of two points that are one, and for a weld of two orientations, in the axes of the file. */
function closureEquations(
  { links }: Robot,
  { kind, link, otherLink, point = [0, 0, 0], otherPoint = [0, 0, 0], restOrientation }: RobotConstraint,
  jointOf: ReadonlyMap<number, number>,
): Equation {
  const chainOf = (k: number | undefined): number[] => (k === undefined ? [] : [k, ...chainOf(links[k].parent)]);
  const [own, others] = [chainOf(link), chainOf(otherLink)];
  // What carries both ends moves them alike.
  const chain = [
    ...own.filter((k) => !others.includes(k)).map((k) => [k, 1] as const),
    ...others.filter((k) => !own.includes(k)).map((k) => [k, -1] as const),
  ].filter(([k]) => jointOf.has(k));
  const placed = ({ position, orientation }: Pose, local: Vector): Vector => add(position, rotate(orientation, local));
  return {
    joints: chain.map(([k]) => jointOf.get(k)!),
    evaluate: (_, poses) => {
      const holder = otherLink === undefined ? ORIGIN : poses[otherLink];
      const [here, there] = [placed(poses[link], point), placed(holder, otherPoint)];
      const rows = AXES.map(() => new Array<number>(jointOf.size).fill(0));
      const turns = AXES.map(() => new Array<number>(jointOf.size).fill(0));
      for (const [k, sign] of chain) {
        const axis = rotate(poses[k].orientation, links[k].values.axis ?? AXES[2]);
        const isTurn = links[k].values.joint === 'revolute';
        const along = isTurn ? cross(axis, subtract(sign > 0 ? here : there, poses[k].position)) : axis;
        for (const i of [0, 1, 2]) {
          rows[i][jointOf.get(k)!] = sign * along[i];
          if (isTurn) turns[i][jointOf.get(k)!] = sign * axis[i];
        }
      }
      const gap = subtract(here, there);
      if (kind === 'connect') return { residuals: [...gap], rows };
      const wanted = multiplyQuaternions(holder.orientation, restOrientation ?? ORIGIN.orientation);
      const [x, y, z, w] = multiplyQuaternions(poses[link].orientation, conjugate(wanted));
      const twice = w < 0 ? -2 : 2;
      return { residuals: [...gap, twice * x, twice * y, twice * z], rows: [...rows, ...turns] };
    },
  };
}
