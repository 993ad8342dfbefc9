import type { KernelPass } from '@gradsim/core';
import { cross, quat, vec3 } from '@gradsim/core';
import { jointPose } from './joint.ts';
import type { JointKind } from './link.ts';
import { Link } from './link.ts';
import { FRAME } from './prepare.ts';
import type { Rank } from './ranks.ts';
import { IDENTITY, ZERO } from './spatial.ts';
import { sweep } from './sweep.ts';

/** The states of a joint, as sweeps read them of links. */
export const STATE = {
  coordinate: Link.coordinate,
  rate: Link.rate,
  jointOrientation: Link.jointOrientation,
  angularVelocity: Link.angularVelocity,
  translation: Link.translation,
  velocity: Link.velocity,
};

/** How links lie and turn, in world axes: what sweeps have of them within a substep. */
export const MOTION = {
  /** From the link's axes to the world's. */
  orientation: quat,
  spin: vec3,
  /** From the parent's origin to the link's. */
  arm: vec3,
  /** The joint's axis. */
  direction: vec3,
  /** What a link's acceleration is beside what follows from that of its parent and of the joint's coordinates. */
  biasAngular: vec3,
  biasLinear: vec3,
};

const outwardOf = (joint: JointKind) =>
  sweep({
    name: 'outward',
    own: FRAME,
    parent: { orientation: quat, spin: vec3 },
    world: { reads: {}, of: () => ({ orientation: IDENTITY(), spin: ZERO() }) },
    link: STATE,
    writes: MOTION,
    lifts: {},
    sums: {},
    run: ({ own, parent, link }) => {
      const { orientation, arm, axis, relative } = jointPose(joint, parent.orientation, own, link);
      const { spin } = parent;
      return {
        own: {
          orientation,
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

/** From the roots to the leaves: where links are turned, and how fast. */
export const outward = (rank: Rank): KernelPass => SWEEPS[rank.joint](rank);
