import type { F32, KernelPass, Mat33, Vec3 } from '@gradsim/core';
import { cross, f32, transpose, vec3 } from '@gradsim/core';
import { kickOf } from '@gradsim/dynamics';
import type { Attitude } from '../attitude.ts';
import { turned, unturned } from '../attitude.ts';
import type { AxisDrag, BallDrag } from '../efforts/drag.ts';
import {
  DAMPED,
  dampedAxis,
  dampedBall,
  explicitAxis,
  explicitBall,
  RUBBED,
  rubbedAxis,
  rubbedBall,
} from '../efforts/drag.ts';
import type { JointKind } from '../link.ts';
import { Link } from '../link.ts';
import type { Rank } from '../ranks.ts';
import type { Wrench } from '../spatial.ts';
import { power, rotationOf, symmetric, times } from '../spatial.ts';
import { ACCELERATION, JOINT_ACCELERATION } from './accelerate.ts';
import type { DragKind } from './inward.ts';
import { alongAxis, GAINS } from './inward.ts';
import { MOTION } from './outward.ts';
import { BODY } from './prepare.ts';
import type { Rebound } from './sweep.ts';
import { sweep } from './sweep.ts';

/*
 * Derivatives of the accelerations, by the implicit function theorem. Accelerations a of the joints solve
 *
 *   r(a, x) = M(x) a + c(x) - tau(x) = 0,   so   da/dx = -M^-1 dr/dx at fixed a,
 *
 * with r by inverse dynamics (Newton and Euler's recursion), and M^-1 by the factors that the articulated body algorithm
 * left. Both need wrenches alone: a third of the operations of a derivative of that algorithm itself, which takes those
 * of 21 entries of inertia for each link. So the inward sweep counts as constant in derivatives, and these sweeps, which
 * only runs with derivatives need, add -M^-1 r less its own value to the accelerations: exactly 0, with that derivative.
 */

/** Fields of the wrench that children put on a link at the accelerations found, about the link's origin. */
export const BALANCE = { balanceMoment: vec3, balanceForce: vec3 };
/** Fields of the acceleration of joints that an imbalance causes with parents at rest; of free joints, the wrench itself. */
export const RESPONSE = {
  axis: { axisResponse: f32 },
  ball: { ballResponse: vec3 },
  free: { freeMoment: vec3, freeForce: vec3 },
};

const { orientation, turn, spin, arm, direction } = MOTION;
const OWN = { ...BODY, ...ACCELERATION, orientation, turn, spin, arm };
const LOADS = { force: Link.force, torque: Link.torque, centre: Link.centre };
const INWARD = { parent: {}, world: { reads: {}, of: () => ({}) }, bears: BALANCE, sums: {} };

interface OwnMotion extends Attitude {
  readonly mass: F32;
  readonly firstMoment: Vec3;
  readonly inertiaDiagonal: Vec3;
  readonly inertiaOff: Vec3;
  readonly spin: Vec3;
  readonly alpha: Vec3;
  readonly acceleration: Vec3;
}
interface Loads {
  readonly force: Vec3;
  readonly torque: Vec3;
  readonly centre: Vec3;
}
type Borne = { readonly [K in keyof typeof BALANCE]: Vec3 };

/**
 * Wrench that moves a link and its descendants as they accelerate, about the link's origin. In the link's axes, where
 * inertias are constant: n = I alpha + h x a + w x I w, f = m a + alpha x h + w x (w x h), h = m c.
 */
function wrenchAt(own: OwnMotion, borne: Borne | null, loads: Loads | null): Wrench {
  const rotation = rotationOf(own.orientation);
  const back = transpose(rotation);
  const [alpha, a, w] = [own.alpha, own.acceleration, own.spin].map((v) => back.mul(unturned(own, v)));
  const inertia = symmetric(own.inertiaDiagonal, own.inertiaOff);
  const h = own.firstMoment;
  let moment = times(inertia, alpha)
    .add(cross(h, a))
    .add(cross(w, times(inertia, w)));
  let force = a
    .mul(own.mass)
    .add(cross(alpha, h))
    .add(cross(w, cross(w, h)));
  [moment, force] = [turned(own, rotation.mul(moment)), turned(own, rotation.mul(force))];
  if (loads) {
    moment = moment.sub(loads.torque).sub(cross(turned(own, rotation.mul(loads.centre)), loads.force));
    force = force.sub(loads.force);
  }
  return borne ? { moment: moment.add(borne.balanceMoment), force: force.add(borne.balanceForce) } : { moment, force };
}

/** Returns a wrench about the parent's origin. */
const lifted = ({ moment, force }: Wrench, r: Vec3): Borne => ({
  balanceMoment: moment.add(cross(r, force)),
  balanceForce: force,
});

interface OwnAxis {
  readonly arm: Vec3;
  readonly direction: Vec3;
  readonly along: F32;
  readonly gainMoment: Vec3;
  readonly gainForce: Vec3;
  readonly over: F32;
}

/** Acceleration of a joint with an axis that its imbalance causes with the parent at rest, and the wrench passed on. */
function throughAxis(joint: JointKind, wrench: Wrench, own: OwnAxis, { effort, resistance }: AxisDrag) {
  const needed = power(wrench, alongAxis(joint, own.direction)).add(resistance.mul(own.along));
  const missing = effort.sub(needed);
  const left = {
    moment: wrench.moment.add(own.gainMoment.mul(missing)),
    force: wrench.force.add(own.gainForce.mul(missing)),
  };
  return { own: { axisResponse: own.over.mul(missing) }, lifted: lifted(left, own.arm), link: {} };
}

const AXIS = {
  ...INWARD,
  own: { ...OWN, ...GAINS.axis, ...JOINT_ACCELERATION.axis, direction },
  writes: RESPONSE.axis,
  lifts: BALANCE,
};
const axisOf = (joint: JointKind, isLoaded: boolean) =>
  sweep({
    ...AXIS,
    name: 'balance',
    link: { effort: Link.effort, ...LOADS },
    run: ({ own, link, borne }) =>
      throughAxis(joint, wrenchAt(own, borne, isLoaded ? link : null), own, explicitAxis(link, own)),
  });
const dampedAxisOf = (joint: JointKind, isLoaded: boolean) =>
  sweep({
    ...AXIS,
    name: 'balanceDamped',
    link: { effort: Link.effort, ...LOADS, ...DAMPED },
    run: ({ own, link, borne }, moment) =>
      throughAxis(joint, wrenchAt(own, borne, isLoaded ? link : null), own, dampedAxis(link, own, kickOf(moment))),
  });
const rubbedAxisOf = (joint: JointKind, isLoaded: boolean) =>
  sweep({
    ...AXIS,
    name: 'balanceRubbed',
    link: { effort: Link.effort, ...LOADS, ...RUBBED },
    run: ({ own, link, borne }, moment) =>
      throughAxis(joint, wrenchAt(own, borne, isLoaded ? link : null), own, rubbedAxis(link, own, kickOf(moment))),
  });

interface OwnBall {
  readonly arm: Vec3;
  readonly turning: Vec3;
  readonly gainAngular: Mat33;
  readonly gainLinear: Mat33;
  readonly ballOver: Mat33;
}

/** The same of a ball joint, in world axes. */
function throughBall(wrench: Wrench, own: OwnBall, { effort, resistance }: BallDrag) {
  const missing = effort.sub(wrench.moment).sub(times(resistance, own.turning));
  const left = {
    moment: wrench.moment.add(transpose(own.gainAngular).mul(missing)),
    force: wrench.force.add(transpose(own.gainLinear).mul(missing)),
  };
  return { own: { ballResponse: own.ballOver.mul(missing) }, lifted: lifted(left, own.arm), link: {} };
}

const BALL = {
  ...INWARD,
  own: { ...OWN, ...GAINS.ball, ...JOINT_ACCELERATION.ball },
  writes: RESPONSE.ball,
  lifts: BALANCE,
};
const ballOf = (isLoaded: boolean) =>
  sweep({
    ...BALL,
    name: 'balance',
    link: { effort: Link.ballEffort, ...LOADS },
    run: ({ own, link, borne }) =>
      throughBall(wrenchAt(own, borne, isLoaded ? link : null), own, explicitBall(link, own)),
  });
const dampedBallOf = (isLoaded: boolean) =>
  sweep({
    ...BALL,
    name: 'balanceDamped',
    link: { effort: Link.ballEffort, ...LOADS, ...DAMPED },
    run: ({ own, link, borne }, moment) =>
      throughBall(wrenchAt(own, borne, isLoaded ? link : null), own, dampedBall(link, own, kickOf(moment))),
  });
const rubbedBallOf = (isLoaded: boolean) =>
  sweep({
    ...BALL,
    name: 'balanceRubbed',
    link: { effort: Link.ballEffort, ...LOADS, ...RUBBED },
    run: ({ own, link, borne }, moment) =>
      throughBall(wrenchAt(own, borne, isLoaded ? link : null), own, rubbedBall(link, own, kickOf(moment))),
  });

const freeOf = (isLoaded: boolean) =>
  sweep({
    ...INWARD,
    name: 'balance',
    own: OWN,
    link: LOADS,
    writes: RESPONSE.free,
    lifts: {},
    run: ({ own, link, borne }) => {
      const { moment, force } = wrenchAt(own, borne, isLoaded ? link : null);
      return { own: { freeMoment: moment, freeForce: force }, lifted: {}, link: {} };
    },
  });

const fixedOf = (isLoaded: boolean) =>
  sweep({
    ...INWARD,
    name: 'balance',
    own: OWN,
    link: LOADS,
    writes: {},
    lifts: BALANCE,
    run: ({ own, link, borne }) => ({
      own: {},
      lifted: lifted(wrenchAt(own, borne, isLoaded ? link : null), own.arm),
      link: {},
    }),
  });

const sweepsOf = (isLoaded: boolean) => {
  const rest = { free: freeOf(isLoaded), fixed: fixedOf(isLoaded) };
  const of = (axis: typeof axisOf | typeof dampedAxisOf | typeof rubbedAxisOf, ball: KernelSweep) => ({
    ...rest,
    revolute: axis('revolute', isLoaded),
    prismatic: axis('prismatic', isLoaded),
    ball,
  });
  return {
    explicit: of(axisOf, ballOf(isLoaded)),
    damping: of(dampedAxisOf, dampedBallOf(isLoaded)),
    friction: of(rubbedAxisOf, rubbedBallOf(isLoaded)),
  };
};
type KernelSweep = ReturnType<typeof freeOf>;
const [UNLOADED, LOADED] = [sweepsOf(false), sweepsOf(true)];

/**
 * Backward sweep, leaves to roots: what the efforts of joints lack at the accelerations found, and the accelerations
 * that follow from it with parents at rest. Parameters are those of `inward`.
 */
export const balance = (
  rank: Rank,
  { isLoaded, drag }: { readonly isLoaded: boolean; readonly drag: DragKind },
  rebound?: Rebound,
): KernelPass => (isLoaded ? LOADED : UNLOADED)[drag][rank.joint](rank, rebound);
