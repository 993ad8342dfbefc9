import type { F32, Vec3 } from '@gradsim/core';
import { detach, f32, kernel, max, norm, select, vec3 } from '@gradsim/core';
import { Link } from '../link.ts';
import type { Symmetric } from '../spatial.ts';
import { symmetricFromEntries, times } from '../spatial.ts';
import { frictionInertia, frictionSlope } from './implicit-fields.ts';

/*
 * Dry friction of implicit joints. Rates of a joint are a vector w: (q', 0, 0) of a joint with an axis, the angular
 * velocity in the link's axes of a ball joint. Friction is the gradient of the potential (P. Huber, 1964)
 *
 *   kf |w|^2 / 2                   where the joint holds, kf |w| <= tau_c,
 *   tau_c (|w| - tau_c / (2 kf))   where it slides.
 *
 * A joint that a load turns back within a substep, from the rate w0 to w1 by the rules above, would hold for all of that
 * substep or for none, and its way would not depend on w0 or depend on it as if friction had not changed sign. Exactly, friction
 * opposes w0 until the rate is zero and the load after that. With accelerations a and b before and after, that is
 * w1 = (b / a) w0 + b dt: as a function of w1, its mean over the substep is that of a potential around w = b dt / 2 which
 * holds up to a distance of |b| dt / 2. Such a joint has this `turn` about which its rates count; that of others is 0.
 */

/**
 * Dry friction of one joint: its maximum tau_c, N m or N, its slope kf through zero, N m s/rad or N s/m, and the rate of
 * its turn, rad/s or m/s.
 */
export interface FrictionLaw {
  readonly dryFriction: F32;
  readonly frictionSlope: F32;
  readonly turn: Vec3;
}

/** Least dry friction that a turn is computed with, N m or N. */
const LEAST_FRICTION = 1e-30;

/** Returns rates relative to those of a turn, and the slope there: it holds up to |turn| further than without it. */
function aboutTurn({ dryFriction, frictionSlope, turn }: FrictionLaw, rates: Vec3): { rates: Vec3; slope: F32 } {
  const at = detach(turn);
  const widening = frictionSlope.mul(norm(at)).div(max(dryFriction, LEAST_FRICTION));
  return { rates: rates.sub(at), slope: frictionSlope.div(widening.add(1)) };
}

/** Friction linearised about rates: torque(w) = torque + curvature (w - rates). */
export interface LinearisedFriction {
  readonly isSticking: ReturnType<F32['le']>;
  readonly torque: Vec3;
  readonly curvature: Symmetric;
}

/** Linearises dry friction about given rates. A joint without dry friction counts as sliding. */
export function lineariseFriction(law: FrictionLaw, at: Vec3): LinearisedFriction {
  const { dryFriction } = law;
  const { rates, slope: slopeThrough } = aboutTurn(law, at);
  const speed = norm(rates);
  const isSticking = slopeThrough.mul(speed).lt(dryFriction);
  const perSpeed = dryFriction.div(select(speed.gt(0), speed, f32(1)));
  const slope = select(isSticking, slopeThrough, perSpeed);
  const direction = rates.div(select(speed.gt(0), speed, f32(1)));
  // While sliding, only a change in the direction of the rates changes the torque.
  const along = select(isSticking, f32(0), slope);
  const curvature = symmetricFromEntries((i, j) => {
    const part = along.mul(direction.components[i]).mul(direction.components[j]);
    return i === j ? slope.sub(part) : part.neg();
  });
  return { isSticking, torque: rates.mul(slope), curvature };
}

/** Potential whose gradient with respect to the rates is dry friction, N m rad/s or N m/s. */
export function frictionPotential(law: FrictionLaw, at: Vec3): F32 {
  const { dryFriction } = law;
  const { rates, slope } = aboutTurn(law, at);
  const speed = norm(rates);
  const holds = slope.mul(speed).lt(dryFriction);
  const width = dryFriction.div(select(slope.gt(0), slope, f32(1)));
  const sliding = dryFriction.mul(speed.sub(width.mul(0.5)));
  return select(holds, slope.mul(speed).mul(speed).mul(0.5), sliding);
}

/**
 * Returns the rates of a joint, or their change, as a vector, according to its degrees of freedom. Link fields for
 * other kinds of joint are ignored.
 */
export function ratesOf(freedoms: F32, rate: F32, angularVelocity: Vec3): Vec3 {
  const isBall = freedoms.gt(2);
  const along = vec3(select(freedoms.gt(0), rate, f32(0)), 0, 0);
  return select(isBall, angularVelocity, along);
}

/** Returns friction at `rates` by its linearisation about the rates `linearisedAt`, and the derivative of that. */
export const frictionAt = (
  law: FrictionLaw,
  linearisedAt: Vec3,
  rates: Vec3,
): { readonly torque: Vec3; readonly curvature: Symmetric } => {
  const { torque, curvature } = lineariseFriction(law, linearisedAt);
  return { torque: torque.add(times(curvature, rates.sub(linearisedAt))), curvature };
};

/**
 * Dimensionless kf: kf times the substep over the inertia that a joint moves, if neither `frictionWidth` nor
 * `frictionStiffness` is given. A joint under a load below its dry friction creeps by at most 1 / 100 of the change of
 * rate that the load alone would cause in one substep, so that creep vanishes with the substep.
 */
const STICK_STIFFNESS = 100;

/**
 * Slope kf of dry friction of implicit joints: from `frictionWidth`, from `frictionStiffness`, or such that friction
 * holds within a substep.
 */
export const slopeOfFriction = kernel(
  'slopeOfFriction',
  {
    domain: Link,
    reads: {
      dryFriction: Link.dryFriction,
      frictionStiffness: Link.frictionStiffness,
      frictionWidth: Link.frictionWidth,
      frictionInertia,
    },
    writes: { frictionSlope },
  },
  ({ dryFriction, frictionStiffness, frictionWidth, frictionInertia }, { longestDt }) => {
    const isWide = frictionWidth.gt(0);
    const byWidth = dryFriction.div(select(isWide, frictionWidth, f32(1)));
    const byStep = frictionInertia.mul(STICK_STIFFNESS).div(longestDt);
    const slope = select(frictionStiffness.gt(0), frictionStiffness, byStep);
    return { frictionSlope: select(isWide, byWidth, slope) };
  },
);
