import type { Bool, F32, FieldOf, Mat33, Quat, Surroundings, Vec3 } from '@gradsim/core';
import { addCompensated, f32, field, kernel, norm, rotate, rotateInverse, select, vec3, when } from '@gradsim/core';
import type { BodiesThatTouch, LeapfrogMotion } from '@gradsim/dynamics';
import { kickDuration, memoise, rotationStep } from '@gradsim/dynamics';

/** Bodies whose motion impacts can change. */
export type BodiesThatBounce = BodiesThatTouch & { readonly motion: LeapfrogMotion };

/** Fields for the velocities of bodies at the start of a substep. */
export const velocitiesBefore = memoise(({ component: { domain } }: BodiesThatTouch) => ({
  velocityBefore: field(domain, 'velocityBefore', vec3, { unit: 'm/s' }),
  angularVelocityBefore: field(domain, 'angularVelocityBefore', vec3, { unit: 'rad/s' }),
}));

/**
 * Kernel that saves the velocities before forces act. Their change over the substep, divided by the time of the kick, is
 * the acceleration.
 */
export const keepVelocities = memoise((bodies: BodiesThatBounce) => {
  const { component, velocity, angularVelocity } = bodies;
  return kernel(
    `keepVelocities_${component.domain}`,
    { domain: component, reads: { velocity, angularVelocity }, writes: velocitiesBefore(bodies) },
    (s) => ({ velocityBefore: s.velocity, angularVelocityBefore: s.angularVelocity }),
  );
});

/** Fields of a body's state that impacts change; those ending in `Carry` are compensation terms of summation. */
export const statesOf = ({ motion: { carries }, ...bodies }: BodiesThatBounce) => ({
  position: bodies.position,
  velocity: bodies.velocity,
  orientation: bodies.orientation,
  angularVelocity: bodies.angularVelocity,
  positionCarry: carries.position,
  velocityCarry: carries.velocity,
  orientationCarry: carries.orientation,
  angularVelocityCarry: carries.angularVelocity,
});

export type States = {
  readonly [Name in keyof ReturnType<typeof statesOf>]: ReturnType<typeof statesOf>[Name] extends FieldOf<infer V>
    ? V
    : never;
};
type VelocitiesBefore = { readonly velocityBefore: Vec3; readonly angularVelocityBefore: Vec3 };

/** State of a body at the end of some seconds, before its impacts; and its acceleration (m/s^2) and angular acceleration (rad/s^2). */
export interface Motion {
  readonly start: States;
  readonly acceleration: Vec3;
  readonly spinUp: Vec3;
  readonly dt: F32;
  /** Rounding error of 1. */
  readonly epsilon: F32;
}
type Clock = Parameters<typeof kickDuration>[0] & Pick<Surroundings, 'epsilon'>;

/** Returns the motion of a substep. */
export function motionOf(c: States & VelocitiesBefore, moment: Clock): Motion {
  const rate = f32(1).div(kickDuration(moment));
  const acceleration = c.velocity.sub(c.velocityBefore).mul(rate);
  const spinUp = c.angularVelocity.sub(c.angularVelocityBefore).mul(rate);
  const { position, velocity, orientation, angularVelocity } = c;
  const { positionCarry, velocityCarry, orientationCarry, angularVelocityCarry } = c;
  return {
    start: {
      position,
      velocity,
      orientation,
      angularVelocity,
      positionCarry,
      velocityCarry,
      orientationCarry,
      angularVelocityCarry,
    },
    acceleration,
    spinUp,
    dt: moment.dt,
    epsilon: moment.epsilon,
  };
}

/** Pushes that begin within the substep, see `LeapfrogMotion.begun`. */
interface Begun {
  readonly begunForce: Vec3;
  readonly begunTorque: Vec3;
  readonly wholeForce: Vec3;
  readonly mass: F32;
  readonly inverseGyration: Mat33;
}

/** Fields of {@link Begun}, of bodies that pushes can act on. */
export const begunReads = ({ motion: { begun }, mass }: BodiesThatBounce) =>
  begun && mass && { begunForce: begun.force, begunTorque: begun.torque, wholeForce: begun.wholeForce, mass };

export type BegunReads = NonNullable<ReturnType<typeof begunReads>>;

/** Returns the motion of a substep without the pushes that begin within it, and the part of the substep before they do. */
function motionBefore(c: States & VelocitiesBefore & Begun, moment: Clock): Motion & { readonly part: F32 } {
  const { begunForce, begunTorque, wholeForce, inverseGyration, orientation: q } = c;
  const { dt } = moment;
  const kick = kickDuration(moment);
  const pushed = begunForce.mul(kick.div(c.mass));
  const turned = rotate(q, inverseGyration.mul(rotateInverse(q, begunTorque.mul(kick.div(c.mass)))));
  const without = moveBy(c, {
    position: pushed.mul(dt).neg(),
    velocity: pushed.neg(),
    turn: rotationStep(q, turned, dt.neg()),
    spin: turned.neg(),
  });
  return {
    ...motionOf({ ...c, ...without }, moment),
    part: f32(1).sub(norm(begunForce).div(norm(wholeForce))),
  };
}

/**
 * State, and velocities before, of a body that half-spaces hold up to the time at which a push begins.
 *
 * @param hold whether they do, and the state at the end of a whole substep without the push.
 */
export function heldBefore(
  c: States & VelocitiesBefore & Begun,
  moment: Clock,
  hold: (without: Motion) => { readonly end: States; readonly isHeld: Bool },
): States & VelocitiesBefore {
  const { velocityBefore, angularVelocityBefore } = c;
  const held = (): States & VelocitiesBefore => {
    const { part, ...without } = motionBefore(c, moment);
    const { start, acceleration, spinUp, dt } = without;
    const { end, isHeld } = hold(without);
    const share = select(isHeld, part, f32(0));
    const velocity = end.velocity.sub(start.velocity).mul(share);
    const spin = end.angularVelocity.sub(start.angularVelocity).mul(share);
    return {
      ...moveBy(c, { position: velocity.mul(dt), velocity, turn: rotationStep(c.orientation, spin, dt), spin }),
      velocityBefore: velocityBefore.add(acceleration.mul(dt).mul(share)).add(velocity),
      angularVelocityBefore: angularVelocityBefore.add(spinUp.mul(dt).mul(share)).add(spin),
    };
  };
  return when(norm(c.wholeForce).gt(0), held, () => ({
    ...motionOf(c, moment).start,
    velocityBefore,
    angularVelocityBefore,
  }));
}

/** Changes of a body's state by impacts. */
interface Moved {
  readonly position: Vec3;
  readonly velocity: Vec3;
  /** Change of the orientation, see `rotationStep`. */
  readonly turn: Quat;
  readonly spin: Vec3;
}

/** Adds changes to a state, with compensation. */
export function moveBy(s: States, { position, velocity, turn, spin }: Moved): States {
  const x = addCompensated(s.position, s.positionCarry, position);
  const v = addCompensated(s.velocity, s.velocityCarry, velocity);
  const q = addCompensated(s.orientation, s.orientationCarry, turn);
  const w = addCompensated(s.angularVelocity, s.angularVelocityCarry, spin);
  return {
    position: x.sum,
    velocity: v.sum,
    orientation: q.sum,
    angularVelocity: w.sum,
    positionCarry: x.compensation,
    velocityCarry: v.compensation,
    orientationCarry: q.compensation,
    angularVelocityCarry: w.compensation,
  };
}
