import type { F32, KernelPass, Mat33, Quat, Vec3 } from '@gradsim/core';
import { cross, f32, identity, inverse, mat33, rotate, transpose, vec3 } from '@gradsim/core';
import { kickDuration } from '@gradsim/dynamics';
import type { AxisDrag, BallDrag } from '../efforts/drag.ts';
import {
  axisWithDryFriction,
  ballWithDryFriction,
  DAMPING_READS,
  DRY_FRICTION_READS,
  dampedAxis,
  dampedBall,
  explicitAxis,
} from '../efforts/drag.ts';
import type { JointKind } from '../link.ts';
import { Link } from '../link.ts';
import type { Rank } from '../ranks.ts';
import type { ArticulatedInertia, Motion, Symmetric, Wrench } from '../spatial.ts';
import {
  aboutParent,
  addSymmetric,
  multipleOfOne,
  power,
  rotateSymmetric,
  rotationOf,
  rowsOf,
  skew,
  subtractRankOne,
  symmetric,
  symmetricPart,
  wrenchOf,
  ZERO,
} from '../spatial.ts';
import { MOTION_FIELDS } from './outward.ts';
import { BODY_FIELDS } from './prepare.ts';
import type { PortRenames } from './sweep.ts';
import { sweep } from './sweep.ts';

/**
 * Fields of the load that children put on a link: their articulated inertia about the link's origin, and their bias
 * wrench.
 */
export const BURDEN_FIELDS = {
  burdenDiagonal: vec3,
  burdenOff: vec3,
  burdenCoupling: mat33,
  burdenMassDiagonal: vec3,
  burdenMassOff: vec3,
  burdenMoment: vec3,
  burdenForce: vec3,
};
type Burden = {
  readonly [K in keyof typeof BURDEN_FIELDS]: K extends 'burdenCoupling' ? Mat33 : Vec3;
};

/**
 * Fields that the inward sweep writes for those after it: accelerations as linear functions of those of the parent, and
 * what converts efforts to accelerations: 1 / D or D^-1 (`over`); of free joints H M^-1, M^-1 and (A - H M^-1 H^T)^-1.
 */
export const GAIN_FIELDS = {
  axis: { gainMoment: vec3, gainForce: vec3, push: f32, over: f32 },
  ball: { gainAngular: mat33, gainLinear: mat33, ballPush: vec3, ballOver: mat33 },
  free: {
    angularAcceleration: vec3,
    linearAcceleration: vec3,
    freeCoupling: mat33,
    freeLinear: mat33,
    freeAngular: mat33,
  },
};

/**
 * Articulated inertia and bias of a link with all its descendants, about its origin: wrench = inertia * acceleration +
 * bias.
 */
interface SubtreeInertia {
  readonly inertia: ArticulatedInertia;
  readonly bias: Wrench;
}

interface OwnBody {
  readonly mass: F32;
  readonly firstMoment: Vec3;
  readonly inertiaDiagonal: Vec3;
  readonly inertiaOff: Vec3;
  readonly orientation: Quat;
  readonly spin: Vec3;
}
interface Loads {
  readonly force: Vec3;
  readonly torque: Vec3;
  readonly centre: Vec3;
}

/**
 * Adds to what children pass to a link its own inertia and bias, by Newton and Euler about its origin: n = I alpha + h
 * x a + w x I w, f = m a + alpha x h + w x (w x h), h = m c.
 */
function subtreeInertia(own: OwnBody, borne: Burden | null, loads: Loads | null): SubtreeInertia {
  const about = rotateSymmetric(symmetric(own.inertiaDiagonal, own.inertiaOff), rotationOf(own.orientation));
  const h = rotate(own.orientation, own.firstMoment);
  const { spin } = own;
  let inertia: ArticulatedInertia = { angular: about, coupling: skew(h), linear: multipleOfOne(own.mass) };
  let bias: Wrench = {
    moment: cross(spin, wrenchOf(inertia, { angular: spin, linear: ZERO() }).moment),
    force: cross(spin, cross(spin, h)),
  };
  if (loads) {
    const lever = cross(rotate(own.orientation, loads.centre), loads.force);
    bias = {
      moment: bias.moment.sub(loads.torque).sub(lever),
      force: bias.force.sub(loads.force),
    };
  }
  if (borne) {
    inertia = {
      angular: addSymmetric(inertia.angular, symmetric(borne.burdenDiagonal, borne.burdenOff)),
      coupling: inertia.coupling.add(borne.burdenCoupling),
      linear: addSymmetric(inertia.linear, symmetric(borne.burdenMassDiagonal, borne.burdenMassOff)),
    };
    bias = {
      moment: bias.moment.add(borne.burdenMoment),
      force: bias.force.add(borne.burdenForce),
    };
  }
  return { inertia, bias };
}

/**
 * Returns what a link passes to its parent through its joint: the remaining inertia, and the bias including the
 * contribution of the joint's coordinates, both about the parent's origin.
 */
function burdenOnParent(
  inertia: ArticulatedInertia,
  bias: Wrench,
  extra: Wrench | null,
  { arm, biasAngular, biasLinear }: Arm,
): Burden {
  const c = wrenchOf(inertia, { angular: biasAngular, linear: biasLinear });
  const force = bias.force.add(c.force).add(extra?.force ?? ZERO());
  const moment = bias.moment.add(c.moment).add(extra?.moment ?? ZERO());
  const { angular, coupling, linear } = aboutParent(inertia, arm);
  return {
    burdenDiagonal: angular.diagonal,
    burdenOff: angular.offDiagonal,
    burdenCoupling: coupling,
    burdenMassDiagonal: linear.diagonal,
    burdenMassOff: linear.offDiagonal,
    burdenMoment: moment.add(cross(arm, force)),
    burdenForce: force,
  };
}
interface Arm {
  readonly arm: Vec3;
  readonly biasAngular: Vec3;
  readonly biasLinear: Vec3;
}

const { orientation, turn, spin, arm, biasAngular, biasLinear, direction } = MOTION_FIELDS;
const OWN_READS = { ...BODY_FIELDS, orientation, turn, spin, arm, biasAngular, biasLinear };
const LOAD_READS = { force: Link.force, torque: Link.torque, centre: Link.centre };
const NO_PARENT = { parent: {}, world: { reads: {}, of: () => ({}) }, sums: {}, isConstant: true };

/** Motion subspace S of a joint with an axis: its motion at unit rate. */
export const alongAxis = (joint: JointKind, axis: Vec3): Motion =>
  joint === 'revolute' ? { angular: axis, linear: ZERO() } : { angular: ZERO(), linear: axis };

/**
 * Passes a link's load through a joint with an axis: with D = S^T I S + resistance and U = I S, q'' = (tau - S^T p) / D
 * - (U / D)^T a, and I - U U^T / D is passed on.
 */
function throughAxis(
  s: Motion,
  { inertia, bias }: SubtreeInertia,
  arm: Arm,
  { effort, rateCoefficient: resistance }: AxisDrag,
) {
  const u = wrenchOf(inertia, s);
  const over = f32(1).div(power(u, s).add(resistance));
  const gain = { moment: u.moment.mul(over), force: u.force.mul(over) };
  const push = effort.sub(power(bias, s)).mul(over);
  const extra = { moment: u.moment.mul(push), force: u.force.mul(push) };
  return {
    own: { gainMoment: gain.moment, gainForce: gain.force, push, over },
    lifted: burdenOnParent(subtractRankOne(inertia, u, gain), bias, extra, arm),
    link: {},
  };
}
const AXIS_SWEEP = {
  ...NO_PARENT,
  own: { ...OWN_READS, direction },
  childFields: BURDEN_FIELDS,
  writes: GAIN_FIELDS.axis,
  lifts: BURDEN_FIELDS,
};

const axisOf = (joint: JointKind, isLoaded: boolean) =>
  sweep({
    ...AXIS_SWEEP,
    name: 'inward',
    link: { effort: Link.effort, ...LOAD_READS },
    run: ({ own, link, borne }) => {
      const all = subtreeInertia(own, borne, isLoaded ? link : null);
      return throughAxis(alongAxis(joint, own.direction), all, own, explicitAxis(link, own));
    },
  });

const dampedAxisOf = (joint: JointKind, isLoaded: boolean) =>
  sweep({
    ...AXIS_SWEEP,
    name: 'inwardDamped',
    link: { effort: Link.effort, ...LOAD_READS, ...DAMPING_READS },
    run: ({ own, link, borne }, moment) => {
      const all = subtreeInertia(own, borne, isLoaded ? link : null);
      return throughAxis(alongAxis(joint, own.direction), all, own, dampedAxis(link, own, kickDuration(moment)));
    },
  });

const rubbedAxisOf = (joint: JointKind, isLoaded: boolean) =>
  sweep({
    ...AXIS_SWEEP,
    name: 'inwardRubbed',
    link: { effort: Link.effort, ...LOAD_READS, ...DRY_FRICTION_READS },
    run: ({ own, link, borne }, moment) => {
      const all = subtreeInertia(own, borne, isLoaded ? link : null);
      return throughAxis(
        alongAxis(joint, own.direction),
        all,
        own,
        axisWithDryFriction(link, own, kickDuration(moment)),
      );
    },
  });

const BALL_SWEEP = {
  ...NO_PARENT,
  own: OWN_READS,
  childFields: BURDEN_FIELDS,
  writes: GAIN_FIELDS.ball,
  lifts: BURDEN_FIELDS,
};

/**
 * Inward sweep of ball joints. S is the three rotations, in world axes, and r the armature: D = A + r. Then A - A D^-1
 * A = r - r^2 D^-1 and H - A D^-1 H = r D^-1 H, without cancellation.
 */
const ballOf = (isLoaded: boolean) =>
  sweep({
    ...BALL_SWEEP,
    name: 'inward',
    link: { effort: Link.ballEffort, ...LOAD_READS },
    run: ({ own, link, borne }) => {
      const { inertia, bias } = subtreeInertia(own, borne, isLoaded ? link : null);
      const { angular, coupling, linear } = inertia;
      const r = own.armature;
      const over = inverse(matrixOf(addSymmetric(angular, multipleOfOne(r))));
      const gainLinear = over.mul(coupling);
      const ballPush = over.mul(rotate(own.orientation, link.effort).sub(bias.moment));
      const u = wrenchOf(inertia, { angular: ballPush, linear: ZERO() });
      const left = {
        angular: symmetricPart(identity(3).sub(over.mul(r)).mul(r)),
        coupling: gainLinear.mul(r),
        linear: symmetricPart(matrixOf(linear).sub(transpose(coupling).mul(gainLinear))),
      };
      return {
        own: { gainAngular: identity(3).sub(over.mul(r)), gainLinear, ballPush, ballOver: over },
        lifted: burdenOnParent(left, bias, u, own),
        link: {},
      };
    },
  });

/**
 * Inward sweep of ball joints whose resistance R is a matrix and may be far above A: D = A + R, A - A D^-1 A = R D^-1 A
 * and H - A D^-1 H = R D^-1 H. The effort is in world axes.
 */
function throughBall({ inertia, bias }: SubtreeInertia, arm: Arm, { effort, rateCoefficient: resistance }: BallDrag) {
  const { angular, coupling, linear } = inertia;
  const [a, r] = [matrixOf(angular), matrixOf(resistance)];
  const over = inverse(matrixOf(addSymmetric(angular, resistance)));
  const [gainAngular, gainLinear] = [over.mul(a), over.mul(coupling)];
  const ballPush = over.mul(effort.sub(bias.moment));
  const u = wrenchOf(inertia, { angular: ballPush, linear: ZERO() });
  const left = {
    angular: symmetricPart(r.mul(gainAngular)),
    coupling: r.mul(gainLinear),
    linear: symmetricPart(matrixOf(linear).sub(transpose(coupling).mul(gainLinear))),
  };
  return {
    own: { gainAngular, gainLinear, ballPush, ballOver: over },
    lifted: burdenOnParent(left, bias, u, arm),
    link: {},
  };
}

const dampedBallOf = (isLoaded: boolean) =>
  sweep({
    ...BALL_SWEEP,
    name: 'inwardDamped',
    link: { effort: Link.ballEffort, ...LOAD_READS, ...DAMPING_READS },
    run: ({ own, link, borne }, moment) => {
      const all = subtreeInertia(own, borne, isLoaded ? link : null);
      return throughBall(all, own, dampedBall(link, own, kickDuration(moment)));
    },
  });

const rubbedBallOf = (isLoaded: boolean) =>
  sweep({
    ...BALL_SWEEP,
    name: 'inwardRubbed',
    link: { effort: Link.ballEffort, ...LOAD_READS, ...DRY_FRICTION_READS },
    run: ({ own, link, borne }, moment) => {
      const all = subtreeInertia(own, borne, isLoaded ? link : null);
      return throughBall(all, own, ballWithDryFriction(link, own, kickDuration(moment)));
    },
  });

/** Inward sweep of free joints: the link's own acceleration does not depend on its parent, and puts no load on it. */
const freeOf = (isLoaded: boolean) =>
  sweep({
    ...NO_PARENT,
    name: 'inward',
    own: OWN_READS,
    link: LOAD_READS,
    childFields: BURDEN_FIELDS,
    writes: GAIN_FIELDS.free,
    lifts: {},
    run: ({ own, link, borne }) => {
      const { inertia, bias } = subtreeInertia(own, borne, isLoaded ? link : null);
      const [h, m] = [inertia.coupling, inverse(matrixOf(inertia.linear))];
      // (A - H M^-1 H^T) alpha = H M^-1 f - n, M a = -f - H^T alpha.
      const hm = h.mul(m);
      const schur = matrixOf(inertia.angular).sub(hm.mul(transpose(h)));
      const freeAngular = inverse(schur);
      const alpha = freeAngular.mul(hm.mul(bias.force).sub(bias.moment));
      const a = m.mul(bias.force.add(transpose(h).mul(alpha)).neg());
      return {
        own: { angularAcceleration: alpha, linearAcceleration: a, freeCoupling: hm, freeLinear: m, freeAngular },
        lifted: {},
        link: {},
      };
    },
  });

const fixedOf = (isLoaded: boolean) =>
  sweep({
    ...NO_PARENT,
    name: 'inward',
    own: OWN_READS,
    link: LOAD_READS,
    childFields: BURDEN_FIELDS,
    writes: {},
    lifts: BURDEN_FIELDS,
    run: ({ own, link, borne }) => {
      const { inertia, bias } = subtreeInertia(own, borne, isLoaded ? link : null);
      return { own: {}, lifted: burdenOnParent(inertia, bias, null, own), link: {} };
    },
  });

const matrixOf = (m: Symmetric): Mat33 => {
  const [x, y, z] = rowsOf(m);
  return mat33(...x.components, ...y.components, ...z.components);
};

/**
 * Integration of damping and dry friction: both at the start of a substep, as efforts (`explicit`); damping at its
 * end (`damping`); or both at its end (`friction`).
 */
export type DragKind = 'explicit' | 'damping' | 'friction';

const sweepsOf = (isLoaded: boolean) => {
  const rest = { free: freeOf(isLoaded), fixed: fixedOf(isLoaded) };
  const explicit = { revolute: axisOf('revolute', isLoaded), prismatic: axisOf('prismatic', isLoaded) };
  const damping = {
    revolute: dampedAxisOf('revolute', isLoaded),
    prismatic: dampedAxisOf('prismatic', isLoaded),
  };
  const friction = {
    revolute: rubbedAxisOf('revolute', isLoaded),
    prismatic: rubbedAxisOf('prismatic', isLoaded),
  };
  return {
    explicit: { ...rest, ...explicit, ball: ballOf(isLoaded) },
    damping: { ...rest, ...damping, ball: dampedBallOf(isLoaded) },
    friction: { ...rest, ...friction, ball: rubbedBallOf(isLoaded) },
  };
};
const [UNLOADED, LOADED] = [sweepsOf(false), sweepsOf(true)];

/**
 * Backward sweep, leaves to roots: computes the inertia that each joint feels, and the inertia and bias that it passes
 * to the parent. Featherstone, Rigid Body Dynamics Algorithms (2008), the articulated body algorithm, in world axes
 * about each link's origin.
 *
 * @param isLoaded whether external forces or torques act on links.
 */
export const inward = (
  rank: Rank,
  { isLoaded, drag }: { readonly isLoaded: boolean; readonly drag: DragKind },
  rebound?: PortRenames,
): KernelPass => (isLoaded ? LOADED : UNLOADED)[drag][rank.joint](rank, rebound);
