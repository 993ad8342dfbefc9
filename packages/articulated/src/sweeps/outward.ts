import type { KernelPass } from '@gradsim/core';
import { cross, quat, vec3 } from '@gradsim/core';
import { jointPose } from '../joint.ts';
import type { JointKind } from '../link.ts';
import { Link } from '../link.ts';
import type { Rank } from '../ranks.ts';
import { IDENTITY, ZERO } from '../spatial.ts';
import { FRAME_FIELDS } from './prepare.ts';
import { sweep } from './sweep.ts';

/** States of a joint that sweeps read from links. */
export const JOINT_STATE = {
  coordinate: Link.coordinate,
  rate: Link.rate,
  jointOrientation: Link.jointOrientation,
  angularVelocity: Link.angularVelocity,
  translation: Link.translation,
  velocity: Link.velocity,
};

/** Fields of the orientation and motion of links within a substep, in world axes. */
export const MOTION_FIELDS = {
  /** Orientation: quaternion, link to world; constant in derivatives, see `Attitude`. */
  orientation: quat,
  turn: vec3,
  spin: vec3,
  /** Vector from the parent's origin to the link's, m. */
  arm: vec3,
  /** Unit vector of the joint's axis. */
  direction: vec3,
  /**
   * Velocity-dependent part of a link's angular and linear acceleration: without the contributions of the parent's
   * acceleration and of the joint's second derivatives, rad/s^2 and m/s^2.
   */
  biasAngular: vec3,
  biasLinear: vec3,
};

const outwardOf = (joint: JointKind) =>
  sweep({
    name: 'outward',
    own: FRAME_FIELDS,
    parent: { orientation: quat, turn: vec3, spin: vec3 },
    world: { reads: {}, of: () => ({ orientation: IDENTITY(), turn: ZERO(), spin: ZERO() }) },
    link: JOINT_STATE,
    writes: MOTION_FIELDS,
    lifts: {},
    sums: {},
    run: ({ own, parent, link }) => {
      const { attitude, arm, axis, relative } = jointPose(joint, parent, own, link);
      const { spin } = parent;
      return {
        own: {
          ...attitude,
          arm,
          direction: axis,
          spin: spin.add(relative.angular),
          // d/dt of w_p + R w, and of w_p x r + R_p v: parts without second derivatives of coordinates.
          biasAngular: cross(spin, relative.angular),
          biasLinear: cross(spin, cross(spin, arm).add(relative.linear.mul(2))),
        },
        lifted: {},
        link: {},
      };
    },
  });

const SWEEPS = {
  revolute: outwardOf('revolute'),
  prismatic: outwardOf('prismatic'),
  ball: outwardOf('ball'),
  free: outwardOf('free'),
  fixed: outwardOf('fixed'),
};

/** Forward sweep, roots to leaves: computes orientations and velocities of links. */
export const outward = (rank: Rank): KernelPass => SWEEPS[rank.joint](rank);
