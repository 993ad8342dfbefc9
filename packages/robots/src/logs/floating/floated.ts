import {
  conjugate,
  multiplyQuaternions,
  normalizeQuaternion,
  type Quaternion,
  subtract,
  type Vector,
} from '@gradsim/base';
import { GradsimError } from '@gradsim/core';
import { MASSLESS } from '../../masses.ts';
import { ORIGIN } from '../../pose.ts';
import type { Robot, RobotLink } from '../../robot.ts';
import type { JointLog } from '../reading/joint-log.ts';
import { placeOfUnit } from '../reading/place-of-unit.ts';
import { deadReckoned } from './dead-reckoned.ts';

/*
 * A floating base as six joints in turn, three that slide along the world's axes and three that turn (yaw, pitch, roll), of
 * which all but the last have links without mass. No motor drives them: their torques are 0, but where something touches
 * the robot. So a flight gives six equations in each sample beside those of the joints with motors: the momentum that a
 * robot in the air cannot change (M. Mistry, S. Schaal and K. Yamane 2009, Inertial parameter estimation of floating base
 * humanoid systems using partial force sensing).
 */

const SLIDES: readonly (readonly [string, Vector])[] = [
  ['x', [1, 0, 0]],
  ['y', [0, 1, 0]],
  ['z', [0, 0, 1]],
];
const TURNS: readonly (readonly [string, Vector])[] = [
  ['yaw', [0, 0, 1]],
  ['pitch', [0, 1, 0]],
  ['roll', [1, 0, 0]],
];
/** Number of joints that stand for a floating base. */
export const BASE_JOINTS = SLIDES.length + TURNS.length;

/** True if the first link of a robot is on a free joint. */
export const isFloating = ({ links }: Robot): boolean =>
  links[0]?.values.joint === 'free' && links[0].parent === undefined;

/** The robot with six joints in the place of its free one. */
export function withJointsForFreeBase(robot: Robot): Robot {
  const [base, ...others] = robot.links;
  const { anchor, restOrientation, mass, centre, inertia } = base.values;
  const steps = [...SLIDES, ...TURNS].map(([name, axis], k): RobotLink => {
    const isLast = k === BASE_JOINTS - 1;
    return {
      name: isLast ? base.name : `${base.name} ${name}`,
      jointName: `${base.name} ${name}`,
      ...(k > 0 && { parent: k - 1 }),
      isOfBase: true,
      values: {
        joint: k < SLIDES.length ? 'prismatic' : 'revolute',
        axis,
        anchor: k === 0 ? anchor : ORIGIN.position,
        restOrientation: k === SLIDES.length ? restOrientation : ORIGIN.orientation,
        ...(isLast ? { mass, centre, inertia } : MASSLESS),
      },
    };
  });
  const moved = others.map((link) =>
    link.parent === undefined ? link : { ...link, parent: link.parent + BASE_JOINTS - 1 },
  );
  const actuators = robot.actuators.map((one) => ({ ...one, link: one.link + BASE_JOINTS - 1 }));
  const constraints = robot.constraints?.map(({ link, otherLink, ...one }) => ({
    ...one,
    link: link + BASE_JOINTS - 1,
    ...(otherLink !== undefined && { otherLink: otherLink + BASE_JOINTS - 1 }),
  }));
  return { ...robot, links: [...steps, ...moved], actuators, ...(constraints && { constraints }) };
}

/** The robot with the masses, and what joints have, of one that {@link withJointsForFreeBase} made. */
export function landed(robot: Robot, { links }: Robot): Robot {
  const own = links.slice(BASE_JOINTS - 1);
  return {
    ...robot,
    links: robot.links.map((link, k) => {
      const { mass, centre, inertia, armature, damping, dryFriction } = own[k].values;
      const body = { mass, centre, inertia };
      const passive = link.values.axis ? { armature, damping, dryFriction } : {};
      return { ...link, values: { ...link.values, ...body, ...passive } };
    }),
  };
}

/** Pitch above which yaw and roll are not told apart well, rad. */
const MAX_PITCH = 1.3;

/**
 * A log with the coordinates and torques of the joints that stand for a base.
 * @throws for a base that stands on end, and for a log that says nothing of it.
 */
export function floatedLog(robot: Robot, log: JointLog, gravity: Vector): JointLog {
  const { links } = robot;
  const { inertial, name, time } = log;
  const base = log.base ?? (inertial && deadReckoned(inertial, time, placeOfUnit(robot).pose, gravity));
  if (!base)
    throw new GradsimError('robots/log-base-missing', `${name} does not say where the base of the robot is.`, {
      field: 'base',
      hint: 'Give its columns base_x, base_y, base_z (m) and base_qx, base_qy, base_qz, base_qw, as motion capture has them, or base_gyro_x to base_gyro_z (rad/s) and base_acc_x to base_acc_z (m/s^2) of an inertial unit.',
    });
  const { anchor, restOrientation } = links[0].values;
  const places = time.map((_, s) => subtract(vectorAt(base.position, s), anchor));
  const angles = time.map((_, s) => {
    const q = normalizeQuaternion(base.orientation.map((of) => of[s]));
    return anglesOf(multiplyQuaternions(conjugate(restOrientation), q));
  });
  const steep = angles.findIndex(([, pitch]) => Math.abs(pitch) > MAX_PITCH);
  if (steep >= 0)
    throw new GradsimError(
      'robots/log-base-steep',
      `${name}: the base pitches by ${angles[steep][1].toPrecision(3)} rad at ${time[steep]} s.`,
      { field: 'base', hint: `Leave out what is beyond ${MAX_PITCH} rad: there yaw and roll are one turn.` },
    );
  const positions = [
    ...SLIDES.map((_, k) => places.map((place) => place[k])),
    ...TURNS.map((_, k) => continuous(angles.map((own) => own[k]))),
  ];
  const still = time.map(() => 0);
  return {
    ...log,
    positions: [...positions, ...log.positions],
    torques: [...positions.map(() => still), ...log.torques],
  };
}

const vectorAt = (of: readonly (readonly number[])[], s: number): Vector => [of[0][s], of[1][s], of[2][s]];

/** Yaw, pitch and roll of R = Rz Ry Rx. */
export function anglesOf([x, y, z, w]: Quaternion): Vector {
  return [
    Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
    Math.asin(Math.max(-1, Math.min(1, 2 * (w * y - z * x)))),
    Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
  ];
}

/** Angles without the steps by which they begin anew after a turn. */
function continuous(angles: readonly number[]): number[] {
  let turns = 0;
  return angles.map((angle, k) => {
    if (k > 0) turns -= Math.round((angle - angles[k - 1]) / (2 * Math.PI));
    return angle + 2 * Math.PI * turns;
  });
}
