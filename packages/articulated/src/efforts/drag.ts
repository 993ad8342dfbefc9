import type { F32, Vec3 } from '@gradsim/core';
import { detach, vec3 } from '@gradsim/core';
import type { Attitude } from '../attitude.ts';
import { orientationOf, toWorld } from '../attitude.ts';
import { Link } from '../link.ts';
import type { Symmetric } from '../spatial.ts';
import { addSymmetric, multipleOfOne, rotateSymmetric, rotationOf, symmetric } from '../spatial.ts';
import type { FrictionLaw } from './friction.ts';
import { frictionAt } from './friction.ts';
import { endRates, frictionSlope, frictionTurn } from './implicit-fields.ts';

/** Link fields that sweeps read for damping and dry friction at the end of the substep. */
export const DAMPING_READS = { damping: Link.damping, rate: Link.rate, angularVelocity: Link.angularVelocity };
export const DRY_FRICTION_READS = {
  ...DAMPING_READS,
  dryFriction: Link.dryFriction,
  frictionSlope,
  turn: frictionTurn,
  held: endRates,
};

/** Effort of a joint at the old rates, and the resistance to its acceleration q'': what acts is effort - resistance q''. */
export interface AxisDrag {
  readonly effort: F32;
  readonly rateCoefficient: F32;
}
/** The same of a ball joint, in world axes. */
export interface BallDrag {
  readonly effort: Vec3;
  readonly rateCoefficient: Symmetric;
}

interface OwnInertia {
  readonly armature: F32;
}
type OwnBallInertia = OwnInertia & Attitude;
interface DampedJoint {
  readonly damping: F32;
  readonly rate: F32;
  readonly angularVelocity: Vec3;
}
type DryFrictionJoint = DampedJoint & FrictionLaw & { readonly held: Vec3 };
type AxisEffort = { readonly effort: F32 };
type BallEffort = { readonly effort: Vec3 };

export const explicitAxis = ({ effort }: AxisEffort, { armature }: OwnInertia): AxisDrag => ({
  effort,
  rateCoefficient: armature,
});

/** Damping d at the end of the substep: resistance armature + the time of the `kick` times d, effort tau - d q'. */
export const dampedAxis = (
  { effort, damping, rate }: AxisEffort & DampedJoint,
  { armature }: OwnInertia,
  kick: F32,
): AxisDrag => ({
  effort: effort.sub(damping.mul(rate)),
  rateCoefficient: armature.add(damping.mul(kick)),
});

/**
 * Damping and dry friction at the end of the substep; friction is linearised about the rates in `endRates`, which
 * derivatives treat as constants, see `frictionRounds`.
 */
export function axisWithDryFriction(
  link: AxisEffort & DryFrictionJoint,
  { armature }: OwnInertia,
  kick: F32,
): AxisDrag {
  const friction = frictionAt(link, detach(link.held), vec3(link.rate, 0, 0));
  return {
    effort: link.effort.sub(link.damping.mul(link.rate)).sub(friction.torque.x),
    rateCoefficient: armature.add(link.damping.add(friction.curvature.diagonal.x).mul(kick)),
  };
}

export const explicitBall = ({ effort }: BallEffort, ownInertia: OwnBallInertia): BallDrag => ({
  effort: toWorld(ownInertia, effort),
  rateCoefficient: multipleOfOne(ownInertia.armature),
});

export const dampedBall = (
  { effort, damping, angularVelocity }: BallEffort & DampedJoint,
  ownInertia: OwnBallInertia,
  kick: F32,
): BallDrag => ({
  effort: toWorld(ownInertia, effort.sub(angularVelocity.mul(damping))),
  rateCoefficient: multipleOfOne(ownInertia.armature.add(damping.mul(kick))),
});

export function ballWithDryFriction(
  link: BallEffort & DryFrictionJoint,
  ownInertia: OwnBallInertia,
  kick: F32,
): BallDrag {
  const { torque, curvature } = frictionAt(link, detach(link.held), link.angularVelocity);
  const drag = link.angularVelocity.mul(link.damping).add(torque);
  const isotropic = multipleOfOne(ownInertia.armature.add(link.damping.mul(kick)));
  const rubbing = rotateSymmetric(
    symmetric(curvature.diagonal.mul(kick), curvature.offDiagonal.mul(kick)),
    rotationOf(orientationOf(ownInertia)),
  );
  return { effort: toWorld(ownInertia, link.effort.sub(drag)), rateCoefficient: addSymmetric(isotropic, rubbing) };
}
