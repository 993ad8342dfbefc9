import type { KernelPass, Vec3 } from '@gradsim/core';
import { cross, detach, dot, quat, rotateInverse, transpose, vec3 } from '@gradsim/core';
import { derivativeOf, derivativesOf } from '../attitude.ts';
import type { JointKind } from '../link.ts';
import { Link } from '../link.ts';
import type { Rank } from '../ranks.ts';
import type { Motion } from '../spatial.ts';
import { IDENTITY, ZERO } from '../spatial.ts';
import { RESPONSE_FIELDS } from './balance.ts';
import { alongAxis, GAIN_FIELDS } from './inward.ts';
import { MOTION_FIELDS } from './outward.ts';
import type { PortRenames } from './sweep.ts';
import { sweep } from './sweep.ts';

/** Fields of the change of acceleration of a link and of its origin, rad/s^2 and m/s^2, world axes. */
export const CHANGE_FIELDS = { alphaChange: vec3, accelerationChange: vec3 };

const { arm, orientation, direction } = MOTION_FIELDS;
const SHARED_SWEEP = {
  name: 'respond',
  parent: CHANGE_FIELDS,
  world: { reads: {}, of: () => ({ alphaChange: ZERO(), accelerationChange: ZERO() }) },
  link: {},
  writes: CHANGE_FIELDS,
  lifts: {},
};
type Parent = { readonly [K in keyof typeof CHANGE_FIELDS]: Vec3 };

/** Changes are 0 except for rounding, so that only their own derivatives matter, not those of what they are multiplied by. */
const changeWithParent = (arm: Vec3, { alphaChange, accelerationChange }: Parent): Motion => ({
  angular: alphaChange,
  linear: accelerationChange.add(cross(alphaChange, detach(arm))),
});
const changeOf = ({ angular, linear }: Motion): Parent => ({ alphaChange: angular, accelerationChange: linear });

const { gainMoment, gainForce } = GAIN_FIELDS.axis;
const axisOf = (joint: JointKind) =>
  sweep({
    ...SHARED_SWEEP,
    own: { arm, direction, gainMoment, gainForce, ...RESPONSE_FIELDS.axis },
    sums: { acceleration: Link.acceleration },
    run: ({ own, parent }) => {
      const y = changeWithParent(own.arm, parent);
      const along = own.axisResponse.sub(dot(own.gainMoment, y.angular)).sub(dot(own.gainForce, y.linear));
      const s = alongAxis(joint, detach(own.direction));
      const change = { angular: y.angular.add(s.angular.mul(along)), linear: y.linear.add(s.linear.mul(along)) };
      return { own: changeOf(change), lifted: {}, link: { acceleration: derivativeOf(along) } };
    },
  });

const { gainAngular, gainLinear } = GAIN_FIELDS.ball;
const ball = sweep({
  ...SHARED_SWEEP,
  own: { arm, orientation, gainAngular, gainLinear, ...RESPONSE_FIELDS.ball },
  sums: { angularAcceleration: Link.angularAcceleration },
  run: ({ own, parent }) => {
    const y = changeWithParent(own.arm, parent);
    const turning = own.ballResponse.sub(own.gainAngular.mul(y.angular)).sub(own.gainLinear.mul(y.linear));
    return {
      own: changeOf({ angular: y.angular.add(turning), linear: y.linear }),
      lifted: {},
      link: { angularAcceleration: derivativesOf(rotateInverse(detach(own.orientation), turning)) },
    };
  },
});

const { freeCoupling, freeLinear, freeAngular } = GAIN_FIELDS.free;
const freeSweep = sweep({
  ...SHARED_SWEEP,
  parent: { ...CHANGE_FIELDS, orientation: quat },
  world: { reads: {}, of: () => ({ ...SHARED_SWEEP.world.of(), orientation: IDENTITY() }) },
  own: { arm, orientation, freeCoupling, freeLinear, freeAngular, ...RESPONSE_FIELDS.free },
  sums: { angularAcceleration: Link.angularAcceleration, linearAcceleration: Link.linearAcceleration },
  run: ({ own, parent }) => {
    const y = changeWithParent(own.arm, parent);
    const angular = own.freeAngular.mul(own.freeCoupling.mul(own.freeForce).sub(own.freeMoment));
    const linear = own.freeLinear.mul(own.freeForce).add(transpose(own.freeCoupling).mul(angular)).neg();
    return {
      own: changeOf({ angular, linear }),
      lifted: {},
      link: {
        angularAcceleration: derivativesOf(rotateInverse(detach(own.orientation), angular.sub(y.angular))),
        linearAcceleration: derivativesOf(rotateInverse(detach(parent.orientation), linear.sub(y.linear))),
      },
    };
  },
});

const fixed = sweep({
  ...SHARED_SWEEP,
  own: { arm },
  sums: {},
  run: ({ own, parent }) => ({ own: changeOf(changeWithParent(own.arm, parent)), lifted: {}, link: {} }),
});

const SWEEPS = { revolute: axisOf('revolute'), prismatic: axisOf('prismatic'), ball, free: freeSweep, fixed };

/**
 * Forward sweep, roots to leaves: gives the accelerations of joints their derivatives, and leaves their values as they
 * are, see {@link balance}.
 */
export const respondToImbalance = (rank: Rank, rebound?: PortRenames): KernelPass => SWEEPS[rank.joint](rank, rebound);
