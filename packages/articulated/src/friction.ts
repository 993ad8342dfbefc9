import type { F32, Vec3 } from '@gradsim/core';
import { f32, kernel, norm, select, vec3 } from '@gradsim/core';
import { frictionInertia, frictionSlope, held } from './implicit-fields.ts';
import { Link } from './link.ts';
import type { Symmetric } from './spatial.ts';
import { fromEntries, times } from './spatial.ts';

/*
 * Dry friction of implicit joints. Rates of a joint are a vector w: (q', 0, 0) of a joint with an axis, the angular velocity
 * in the link's axes of a ball joint. Friction is the gradient of the potential (P. Huber, 1964)
 *
 *   kf |w|^2 / 2                   where the joint holds, kf |w| <= tau_c,
 *   tau_c (|w| - tau_c / (2 kf))   where it slides.
 */

/** Dry friction of one joint: tau_c, N m or N, and kf, N m s/rad or N s/m. */
export interface FrictionLaw {
  readonly dryFriction: F32;
  readonly frictionSlope: F32;
}

/** Friction linearised about rates: torque(w) = torque + curvature (w - rates). */
export interface Linearised {
  readonly holds: ReturnType<F32['le']>;
  readonly torque: Vec3;
  readonly curvature: Symmetric;
}

/** A joint without dry friction slides. */
export function linearised({ dryFriction, frictionSlope }: FrictionLaw, rates: Vec3): Linearised {
  const speed = norm(rates);
  const holds = frictionSlope.mul(speed).lt(dryFriction);
  const perSpeed = dryFriction.div(select(speed.gt(0), speed, f32(1)));
  const slope = select(holds, frictionSlope, perSpeed);
  const direction = rates.div(select(speed.gt(0), speed, f32(1)));
  // Sliding, only what turns the direction of the rates changes the torque.
  const along = select(holds, f32(0), slope);
  const curvature = fromEntries((i, j) => {
    const part = along.mul(direction.components[i]).mul(direction.components[j]);
    return i === j ? slope.sub(part) : part.neg();
  });
  return { holds, torque: rates.mul(slope), curvature };
}

/** The potential whose gradient is dry friction, N m rad/s or N m/s. */
export function potential({ dryFriction, frictionSlope }: FrictionLaw, rates: Vec3): F32 {
  const speed = norm(rates);
  const holds = frictionSlope.mul(speed).lt(dryFriction);
  const width = dryFriction.div(select(frictionSlope.gt(0), frictionSlope, f32(1)));
  const sliding = dryFriction.mul(speed.sub(width.mul(0.5)));
  return select(holds, frictionSlope.mul(speed).mul(speed).mul(0.5), sliding);
}

/** Rates of a joint as a vector, or their change, by its degrees of freedom. A link's fields for other joints do not count. */
export function ratesOf(freedoms: F32, rate: F32, angularVelocity: Vec3): Vec3 {
  const isBall = freedoms.gt(2);
  const along = vec3(select(freedoms.gt(0), rate, f32(0)), 0, 0);
  return select(isBall, angularVelocity, along);
}

/** Friction at `rates` by the linearisation about the rates that are held. */
export const frictionAt = (
  law: FrictionLaw,
  about: Vec3,
  rates: Vec3,
): { readonly torque: Vec3; readonly curvature: Symmetric } => {
  const { torque, curvature } = linearised(law, about);
  return { torque: torque.add(times(curvature, rates.sub(about))), curvature };
};

/**
 * kf times the substep over the inertia that a joint moves, where neither `frictionWidth` nor `frictionStiffness` is given:
 * a joint under a load below its dry friction creeps by no more than this part of what the load alone would do to its rate
 * in one substep, so that creep ends with the substep.
 */
const HOLD = 100;

/** kf of implicit joints: from `frictionWidth`, from `frictionStiffness`, or so that friction holds within a substep. */
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
  ({ dryFriction, frictionStiffness, frictionWidth, frictionInertia }, { dt }) => {
    const isWide = frictionWidth.gt(0);
    const byWidth = dryFriction.div(select(isWide, frictionWidth, f32(1)));
    const byStep = frictionInertia.mul(HOLD).div(dt);
    const slope = select(frictionStiffness.gt(0), frictionStiffness, byStep);
    return { frictionSlope: select(isWide, byWidth, slope) };
  },
);

/** What sweeps read of links for damping and dry friction at the end of a substep. */
export const DAMPED = { damping: Link.damping, rate: Link.rate, angularVelocity: Link.angularVelocity };
export const RUBBED = { ...DAMPED, dryFriction: Link.dryFriction, frictionSlope, held };
