import type { KernelPass, Vec3 } from '@gradsim/core';
import { cross, detach, dot, quat, rotateInverse, transpose, vec3 } from '@gradsim/core';
import { derivativeOf, derivativesOf } from '../attitude.ts';
import type { JointKind } from '../link.ts';
import { Link } from '../link.ts';
import type { Rank } from '../ranks.ts';
import type { Motion } from '../spatial.ts';
import { IDENTITY, ZERO } from '../spatial.ts';
import { RESPONSE } from './balance.ts';
import { alongAxis, GAINS } from './inward.ts';
import { MOTION } from './outward.ts';
import type { Rebound } from './sweep.ts';
import { sweep } from './sweep.ts';

/** Fields of the change of acceleration of a link and of its origin, rad/s^2 and m/s^2, world axes. */
export const CHANGE = { alphaChange: vec3, accelerationChange: vec3 };

const { arm, orientation, direction } = MOTION;
const SHARED = {
  name: 'respond',
  parent: CHANGE,
  world: { reads: {}, of: () => ({ alphaChange: ZERO(), accelerationChange: ZERO() }) },
  link: {},
  writes: CHANGE,
  lifts: {},
};
type Parent = { readonly [K in keyof typeof CHANGE]: Vec3 };

/** Changes are 0 except for rounding, so that only their own derivatives matter, not those of what they are multiplied by. */
const carriedAlong = (arm: Vec3, { alphaChange, accelerationChange }: Parent): Motion => ({
  angular: alphaChange,
  linear: accelerationChange.add(cross(alphaChange, detach(arm))),
});
const changeOf = ({ angular, linear }: Motion): Parent => ({ alphaChange: angular, accelerationChange: linear });

const { gainMoment, gainForce } = GAINS.axis;
const axisOf = (joint: JointKind) =>
  sweep({
    ...SHARED,
    own: { arm, direction, gainMoment, gainForce, ...RESPONSE.axis },
    sums: { acceleration: Link.acceleration },
    run: ({ own, parent }) => {
      const y = carriedAlong(own.arm, parent);
      const along = own.axisResponse.sub(dot(own.gainMoment, y.angular)).sub(dot(own.gainForce, y.linear));
      const s = alongAxis(joint, detach(own.direction));
      const change = { angular: y.angular.add(s.angular.mul(along)), linear: y.linear.add(s.linear.mul(along)) };
      return { own: changeOf(change), lifted: {}, link: { acceleration: derivativeOf(along) } };
    },
  });

const { gainAngular, gainLinear } = GAINS.ball;
const ball = sweep({
  ...SHARED,
  own: { arm, orientation, gainAngular, gainLinear, ...RESPONSE.ball },
  sums: { angularAcceleration: Link.angularAcceleration },
  run: ({ own, parent }) => {
    const y = carriedAlong(own.arm, parent);
    const turning = own.ballResponse.sub(own.gainAngular.mul(y.angular)).sub(own.gainLinear.mul(y.linear));
    return {
      own: changeOf({ angular: y.angular.add(turning), linear: y.linear }),
      lifted: {},
      link: { angularAcceleration: derivativesOf(rotateInverse(detach(own.orientation), turning)) },
    };
  },
});

const { freeCoupling, freeLinear, freeAngular } = GAINS.free;
const free = sweep({
  ...SHARED,
  parent: { ...CHANGE, orientation: quat },
  world: { reads: {}, of: () => ({ ...SHARED.world.of(), orientation: IDENTITY() }) },
  own: { arm, orientation, freeCoupling, freeLinear, freeAngular, ...RESPONSE.free },
  sums: { angularAcceleration: Link.angularAcceleration, linearAcceleration: Link.linearAcceleration },
  run: ({ own, parent }) => {
    const y = carriedAlong(own.arm, parent);
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
  ...SHARED,
  own: { arm },
  sums: {},
  run: ({ own, parent }) => ({ own: changeOf(carriedAlong(own.arm, parent)), lifted: {}, link: {} }),
});

const SWEEPS = { revolute: axisOf('revolute'), prismatic: axisOf('prismatic'), ball, free, fixed };

/**
 * Forward sweep, roots to leaves: gives the accelerations of joints their derivatives, and leaves their values as they
 * are, see {@link balance}.
 */
export const respond = (rank: Rank, rebound?: Rebound): KernelPass => SWEEPS[rank.joint](rank, rebound);
