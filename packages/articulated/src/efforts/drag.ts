import type { F32, Vec3 } from '@gradsim/core';
import { detach, vec3 } from '@gradsim/core';
import type { Attitude } from '../attitude.ts';
import { orientationOf, toWorld } from '../attitude.ts';
import { Link } from '../link.ts';
import type { Symmetric } from '../spatial.ts';
import { multipleOfOne, plus, rotationOf, symmetric, turned } from '../spatial.ts';
import type { FrictionLaw } from './friction.ts';
import { frictionAt } from './friction.ts';
import { frictionSlope, held } from './implicit-fields.ts';

/** Link fields that sweeps read for damping and dry friction at the end of the substep. */
export const DAMPED = { damping: Link.damping, rate: Link.rate, angularVelocity: Link.angularVelocity };
export const RUBBED = { ...DAMPED, dryFriction: Link.dryFriction, frictionSlope, held };

/** Effort of a joint at the old rates, and the resistance to its acceleration q'': what acts is effort - resistance q''. */
export interface AxisDrag {
  readonly effort: F32;
  readonly resistance: F32;
}
/** The same of a ball joint, in world axes. */
export interface BallDrag {
  readonly effort: Vec3;
  readonly resistance: Symmetric;
}

interface Own {
  readonly armature: F32;
}
type OwnBall = Own & Attitude;
interface Damped {
  readonly damping: F32;
  readonly rate: F32;
  readonly angularVelocity: Vec3;
}
type Rubbed = Damped & FrictionLaw & { readonly held: Vec3 };
type AxisEffort = { readonly effort: F32 };
type BallEffort = { readonly effort: Vec3 };

export const explicitAxis = ({ effort }: AxisEffort, { armature }: Own): AxisDrag => ({ effort, resistance: armature });

/** Damping d at the end of the substep: resistance armature + the time of the `kick` times d, effort tau - d q'. */
export const dampedAxis = ({ effort, damping, rate }: AxisEffort & Damped, { armature }: Own, kick: F32): AxisDrag => ({
  effort: effort.sub(damping.mul(rate)),
  resistance: armature.add(damping.mul(kick)),
});

/**
 * Damping and dry friction at the end of the substep; friction is linearised about the rates in `held`, which
 * derivatives treat as constants, see `frictionRounds`.
 */
export function rubbedAxis(link: AxisEffort & Rubbed, { armature }: Own, kick: F32): AxisDrag {
  const friction = frictionAt(link, detach(link.held), vec3(link.rate, 0, 0));
  return {
    effort: link.effort.sub(link.damping.mul(link.rate)).sub(friction.torque.x),
    resistance: armature.add(link.damping.add(friction.curvature.diagonal.x).mul(kick)),
  };
}

export const explicitBall = ({ effort }: BallEffort, own: OwnBall): BallDrag => ({
  effort: toWorld(own, effort),
  resistance: multipleOfOne(own.armature),
});

export const dampedBall = (
  { effort, damping, angularVelocity }: BallEffort & Damped,
  own: OwnBall,
  kick: F32,
): BallDrag => ({
  effort: toWorld(own, effort.sub(angularVelocity.mul(damping))),
  resistance: multipleOfOne(own.armature.add(damping.mul(kick))),
});

export function rubbedBall(link: BallEffort & Rubbed, own: OwnBall, kick: F32): BallDrag {
  const { torque, curvature } = frictionAt(link, detach(link.held), link.angularVelocity);
  const drag = link.angularVelocity.mul(link.damping).add(torque);
  const isotropic = multipleOfOne(own.armature.add(link.damping.mul(kick)));
  const rubbing = turned(
    symmetric(curvature.diagonal.mul(kick), curvature.off.mul(kick)),
    rotationOf(orientationOf(own)),
  );
  return { effort: toWorld(own, link.effort.sub(drag)), resistance: plus(isotropic, rubbing) };
}
