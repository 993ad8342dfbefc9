import type { F32, KernelPass, Mat33, Vec3 } from '@gradsim/core';
import { cross, f32, transpose, vec3 } from '@gradsim/core';
import { kickDuration } from '@gradsim/dynamics';
import type { Attitude } from '../attitude.ts';
import { addRotationDerivative, removeRotationDerivative } from '../attitude.ts';
import type { AxisDrag, BallDrag } from '../efforts/drag.ts';
import {
  axisWithDryFriction,
  ballWithDryFriction,
  DAMPING_READS,
  DRY_FRICTION_READS,
  dampedAxis,
  dampedBall,
  explicitAxis,
  explicitBall,
} from '../efforts/drag.ts';
import type { JointKind } from '../link.ts';
import { Link } from '../link.ts';
import type { Rank } from '../ranks.ts';
import type { Wrench } from '../spatial.ts';
import { power, rotationOf, symmetric, times } from '../spatial.ts';
import { ACCELERATION, JOINT_ACCELERATION } from './accelerate.ts';
import type { DragKind } from './inward.ts';
import { alongAxis, GAIN_FIELDS } from './inward.ts';
import { MOTION_FIELDS } from './outward.ts';
import { BODY_FIELDS } from './prepare.ts';
import type { PortRenames } from './sweep.ts';
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
export const BALANCE_FIELDS = { balanceMoment: vec3, balanceForce: vec3 };
/** Fields of the acceleration of joints that an imbalance causes with parents at rest; of free joints, the wrench itself. */
export const RESPONSE_FIELDS = {
  axis: { axisResponse: f32 },
  ball: { ballResponse: vec3 },
  free: { freeMoment: vec3, freeForce: vec3 },
};

const { orientation, turn, spin, arm, direction } = MOTION_FIELDS;
const OWN_READS = { ...BODY_FIELDS, ...ACCELERATION, orientation, turn, spin, arm };
const LOAD_READS = { force: Link.force, torque: Link.torque, centre: Link.centre };
const INWARD_SWEEP = { parent: {}, world: { reads: {}, of: () => ({}) }, childFields: BALANCE_FIELDS, sums: {} };

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
type BalanceWrench = { readonly [K in keyof typeof BALANCE_FIELDS]: Vec3 };

/**
 * Wrench that moves a link and its descendants as they accelerate, about the link's origin. In the link's axes, where
 * inertias are constant: n = I alpha + h x a + w x I w, f = m a + alpha x h + w x (w x h), h = m c.
 */
function wrenchAt(own: OwnMotion, borne: BalanceWrench | null, loads: Loads | null): Wrench {
  const rotation = rotationOf(own.orientation);
  const back = transpose(rotation);
  const [alpha, a, w] = [own.alpha, own.acceleration, own.spin].map((v) => back.mul(removeRotationDerivative(own, v)));
  const inertia = symmetric(own.inertiaDiagonal, own.inertiaOff);
  const h = own.firstMoment;
  let moment = times(inertia, alpha)
    .add(cross(h, a))
    .add(cross(w, times(inertia, w)));
  let force = a
    .mul(own.mass)
    .add(cross(alpha, h))
    .add(cross(w, cross(w, h)));
  [moment, force] = [addRotationDerivative(own, rotation.mul(moment)), addRotationDerivative(own, rotation.mul(force))];
  if (loads) {
    moment = moment.sub(loads.torque).sub(cross(addRotationDerivative(own, rotation.mul(loads.centre)), loads.force));
    force = force.sub(loads.force);
  }
  return borne ? { moment: moment.add(borne.balanceMoment), force: force.add(borne.balanceForce) } : { moment, force };
}

/** Returns a wrench about the parent's origin. */
const wrenchAboutParent = ({ moment, force }: Wrench, r: Vec3): BalanceWrench => ({
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
function throughAxis(
  joint: JointKind,
  wrench: Wrench,
  own: OwnAxis,
  { effort, rateCoefficient: resistance }: AxisDrag,
) {
  const needed = power(wrench, alongAxis(joint, own.direction)).add(resistance.mul(own.along));
  const missing = effort.sub(needed);
  const left = {
    moment: wrench.moment.add(own.gainMoment.mul(missing)),
    force: wrench.force.add(own.gainForce.mul(missing)),
  };
  return { own: { axisResponse: own.over.mul(missing) }, lifted: wrenchAboutParent(left, own.arm), link: {} };
}

const AXIS_SWEEP = {
  ...INWARD_SWEEP,
  own: { ...OWN_READS, ...GAIN_FIELDS.axis, ...JOINT_ACCELERATION.axis, direction },
  writes: RESPONSE_FIELDS.axis,
  lifts: BALANCE_FIELDS,
};
const axisOf = (joint: JointKind, isLoaded: boolean) =>
  sweep({
    ...AXIS_SWEEP,
    name: 'balance',
    link: { effort: Link.effort, ...LOAD_READS },
    run: ({ own, link, borne }) =>
      throughAxis(joint, wrenchAt(own, borne, isLoaded ? link : null), own, explicitAxis(link, own)),
  });
const dampedAxisOf = (joint: JointKind, isLoaded: boolean) =>
  sweep({
    ...AXIS_SWEEP,
    name: 'balanceDamped',
    link: { effort: Link.effort, ...LOAD_READS, ...DAMPING_READS },
    run: ({ own, link, borne }, moment) =>
      throughAxis(
        joint,
        wrenchAt(own, borne, isLoaded ? link : null),
        own,
        dampedAxis(link, own, kickDuration(moment)),
      ),
  });
const rubbedAxisOf = (joint: JointKind, isLoaded: boolean) =>
  sweep({
    ...AXIS_SWEEP,
    name: 'balanceRubbed',
    link: { effort: Link.effort, ...LOAD_READS, ...DRY_FRICTION_READS },
    run: ({ own, link, borne }, moment) =>
      throughAxis(
        joint,
        wrenchAt(own, borne, isLoaded ? link : null),
        own,
        axisWithDryFriction(link, own, kickDuration(moment)),
      ),
  });

interface OwnBall {
  readonly arm: Vec3;
  readonly turning: Vec3;
  readonly gainAngular: Mat33;
  readonly gainLinear: Mat33;
  readonly ballOver: Mat33;
}

/** The same of a ball joint, in world axes. */
function throughBall(wrench: Wrench, own: OwnBall, { effort, rateCoefficient: resistance }: BallDrag) {
  const missing = effort.sub(wrench.moment).sub(times(resistance, own.turning));
  const left = {
    moment: wrench.moment.add(transpose(own.gainAngular).mul(missing)),
    force: wrench.force.add(transpose(own.gainLinear).mul(missing)),
  };
  return { own: { ballResponse: own.ballOver.mul(missing) }, lifted: wrenchAboutParent(left, own.arm), link: {} };
}

const BALL_SWEEP = {
  ...INWARD_SWEEP,
  own: { ...OWN_READS, ...GAIN_FIELDS.ball, ...JOINT_ACCELERATION.ball },
  writes: RESPONSE_FIELDS.ball,
  lifts: BALANCE_FIELDS,
};
const ballOf = (isLoaded: boolean) =>
  sweep({
    ...BALL_SWEEP,
    name: 'balance',
    link: { effort: Link.ballEffort, ...LOAD_READS },
    run: ({ own, link, borne }) =>
      throughBall(wrenchAt(own, borne, isLoaded ? link : null), own, explicitBall(link, own)),
  });
const dampedBallOf = (isLoaded: boolean) =>
  sweep({
    ...BALL_SWEEP,
    name: 'balanceDamped',
    link: { effort: Link.ballEffort, ...LOAD_READS, ...DAMPING_READS },
    run: ({ own, link, borne }, moment) =>
      throughBall(wrenchAt(own, borne, isLoaded ? link : null), own, dampedBall(link, own, kickDuration(moment))),
  });
const rubbedBallOf = (isLoaded: boolean) =>
  sweep({
    ...BALL_SWEEP,
    name: 'balanceRubbed',
    link: { effort: Link.ballEffort, ...LOAD_READS, ...DRY_FRICTION_READS },
    run: ({ own, link, borne }, moment) =>
      throughBall(
        wrenchAt(own, borne, isLoaded ? link : null),
        own,
        ballWithDryFriction(link, own, kickDuration(moment)),
      ),
  });

const freeOf = (isLoaded: boolean) =>
  sweep({
    ...INWARD_SWEEP,
    name: 'balance',
    own: OWN_READS,
    link: LOAD_READS,
    writes: RESPONSE_FIELDS.free,
    lifts: {},
    run: ({ own, link, borne }) => {
      const { moment, force } = wrenchAt(own, borne, isLoaded ? link : null);
      return { own: { freeMoment: moment, freeForce: force }, lifted: {}, link: {} };
    },
  });

const fixedOf = (isLoaded: boolean) =>
  sweep({
    ...INWARD_SWEEP,
    name: 'balance',
    own: OWN_READS,
    link: LOAD_READS,
    writes: {},
    lifts: BALANCE_FIELDS,
    run: ({ own, link, borne }) => ({
      own: {},
      lifted: wrenchAboutParent(wrenchAt(own, borne, isLoaded ? link : null), own.arm),
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
  rebound?: PortRenames,
): KernelPass => (isLoaded ? LOADED : UNLOADED)[drag][rank.joint](rank, rebound);
