import type { KernelPass, Vec3 } from '@gradsim/core';
import { cross, detach, dot, f32, quat, rotateInverse, vec3 } from '@gradsim/core';
import { gravity } from '@gradsim/dynamics';
import { removeRotationDerivative } from '../attitude.ts';
import type { JointKind } from '../link.ts';
import { Link } from '../link.ts';
import type { Rank } from '../ranks.ts';
import type { Motion } from '../spatial.ts';
import { IDENTITY, ZERO } from '../spatial.ts';
import { alongAxis, GAIN_FIELDS } from './inward.ts';
import { MOTION_FIELDS } from './outward.ts';
import type { PortRenames } from './sweep.ts';
import { sweep } from './sweep.ts';

/**
 * Fields of the acceleration of a link and of its origin, less gravity: rad/s^2 and m/s^2, world axes. Their
 * derivatives are those at fixed accelerations of the joints, see {@link respondToImbalance}.
 */
export const ACCELERATION = { alpha: vec3, acceleration: vec3 };
/** Fields of the acceleration of a joint along its axis, or of a ball joint in world axes; constant in derivatives. */
export const JOINT_ACCELERATION = { axis: { along: f32 }, ball: { turning: vec3 } };

const { arm, biasAngular, biasLinear, orientation, turn, direction } = MOTION_FIELDS;
const { angularAcceleration, linearAcceleration } = GAIN_FIELDS.free;
const OWN_READS = { arm, biasAngular, biasLinear };
const SHARED_SWEEP = {
  name: 'accelerate',
  parent: { ...ACCELERATION, orientation: quat, turn: vec3 },
  // An upward acceleration of the ground is equivalent to gravity.
  world: {
    reads: { gravity },
    of: ({ gravity }: { readonly gravity: Vec3 }) => ({
      alpha: ZERO(),
      acceleration: gravity.neg(),
      orientation: IDENTITY(),
      turn: ZERO(),
    }),
  },
  link: {},
  lifts: {},
};
interface ParentBias {
  readonly arm: Vec3;
  readonly biasAngular: Vec3;
  readonly biasLinear: Vec3;
}

/** Returns the acceleration that a link has when the second derivatives of its joint's coordinates are zero. */
const accelerationWithParent = (
  { arm, biasAngular, biasLinear }: ParentBias,
  parent: { readonly alpha: Vec3; readonly acceleration: Vec3 },
): Motion => ({
  angular: parent.alpha.add(biasAngular),
  linear: parent.acceleration.add(cross(parent.alpha, arm)).add(biasLinear),
});

const axisOf = (joint: JointKind) =>
  sweep({
    ...SHARED_SWEEP,
    own: { ...OWN_READS, ...GAIN_FIELDS.axis, direction },
    writes: { ...ACCELERATION, ...JOINT_ACCELERATION.axis },
    sums: { acceleration: Link.acceleration },
    run: ({ own, parent }) => {
      const y = accelerationWithParent(own, parent);
      const along = detach(own.push.sub(dot(own.gainMoment, y.angular)).sub(dot(own.gainForce, y.linear)));
      const s = alongAxis(joint, own.direction);
      return {
        own: {
          alpha: y.angular.add(s.angular.mul(along)),
          acceleration: y.linear.add(s.linear.mul(along)),
          along,
        },
        lifted: {},
        link: { acceleration: along },
      };
    },
  });

const ball = sweep({
  ...SHARED_SWEEP,
  own: { ...OWN_READS, ...GAIN_FIELDS.ball, orientation, turn },
  writes: { ...ACCELERATION, ...JOINT_ACCELERATION.ball },
  sums: { angularAcceleration: Link.angularAcceleration },
  run: ({ own, parent }) => {
    const y = accelerationWithParent(own, parent);
    const turning = detach(own.ballPush.sub(own.gainAngular.mul(y.angular)).sub(own.gainLinear.mul(y.linear)));
    return {
      own: { alpha: y.angular.add(turning), acceleration: y.linear, turning },
      lifted: {},
      link: { angularAcceleration: rotateInverse(own.orientation, removeRotationDerivative(own, turning)) },
    };
  },
});

const freeSweep = sweep({
  ...SHARED_SWEEP,
  own: { ...OWN_READS, angularAcceleration, linearAcceleration, orientation, turn },
  writes: ACCELERATION,
  sums: { angularAcceleration: Link.angularAcceleration, linearAcceleration: Link.linearAcceleration },
  run: ({ own, parent }) => {
    const y = accelerationWithParent(own, parent);
    const { angularAcceleration: alpha, linearAcceleration: acceleration } = own;
    return {
      own: { alpha, acceleration },
      lifted: {},
      link: {
        angularAcceleration: rotateInverse(own.orientation, removeRotationDerivative(own, alpha.sub(y.angular))),
        linearAcceleration: rotateInverse(
          parent.orientation,
          removeRotationDerivative(parent, acceleration.sub(y.linear)),
        ),
      },
    };
  },
});

const fixed = sweep({
  ...SHARED_SWEEP,
  own: OWN_READS,
  writes: ACCELERATION,
  sums: {},
  run: ({ own, parent }) => {
    const y = accelerationWithParent(own, parent);
    return { own: { alpha: y.angular, acceleration: y.linear }, lifted: {}, link: {} };
  },
});

const SWEEPS = { revolute: axisOf('revolute'), prismatic: axisOf('prismatic'), ball, free: freeSweep, fixed };

/** Forward sweep, roots to leaves: computes accelerations of links, and of the coordinates of their joints. */
export const accelerate = (rank: Rank, rebound?: PortRenames): KernelPass => SWEEPS[rank.joint](rank, rebound);
