import type { FieldOf, Kernel, Quat, Vec3 } from '@gradsim/core';
import { addCompensated, dot, f32, field, forRange, kernel, select, sqrt, vec3, when } from '@gradsim/core';
import type { BodiesThatTouch, LeapfrogMotion } from '@gradsim/dynamics';
import { kickDuration, memoise, rotationStep } from '@gradsim/dynamics';
import { HalfSpace, HalfSpaceMaterial } from '../components.ts';
import { readsOnElements } from '../fields.ts';
import { impactOf } from './components.ts';
import { endSpeed, frictionImpulse, normalImpact } from './law.ts';

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

type States = {
  readonly [Name in keyof ReturnType<typeof statesOf>]: ReturnType<typeof statesOf>[Name] extends FieldOf<infer V>
    ? V
    : never;
};
type VelocitiesBefore = { readonly velocityBefore: Vec3; readonly angularVelocityBefore: Vec3 };

/**
 * Returns the state of a body at the end of the substep, before its impacts; and its acceleration (m/s^2) and angular
 * acceleration (rad/s^2) in the substep.
 */
export function motionOf(
  c: States & VelocitiesBefore,
  moment: Parameters<typeof kickDuration>[0],
): { start: States; acceleration: Vec3; spinUp: Vec3 } {
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
  };
}

/** Changes of a body's state by impacts. */
interface Moved {
  readonly position: Vec3;
  readonly velocity: Vec3;
  /** Of the orientation, see `rotationStep`. */
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

/**
 * Kernel that applies the impacts of spheres during the substep just integrated, one half-space after another. A sphere
 * that ends inside a half-space and moves further into it has hit it during the substep.
 *
 * @param count number of half-spaces.
 */
export function impact(bodies: BodiesThatBounce, count: number): Kernel {
  const { component, motion } = bodies;
  const states = statesOf(bodies);
  const { radius, restitution, mu } = impactOf(component);
  const { unitNormal: normal, offset, hasMaterial } = HalfSpace;
  const reads = {
    ...states,
    ...velocitiesBefore(bodies),
    radius,
    restitution,
    mu,
    fixed: motion.fixed,
    inverseGyration: motion.inverseGyration,
    ...readsOnElements({ normal, offset, hasMaterial, surfaceMu: HalfSpaceMaterial.mu }),
  };
  return kernel(`impact_${component.domain}`, { domain: component, reads, writes: states }, (c, moment) => {
    const { dt } = moment;
    const { radius, restitution, inverseGyration } = c;
    const { start, acceleration, spinUp } = motionOf(c, moment);
    const canMeet = radius.gt(0).and(c.fixed.eq(0));
    return forRange(0, count, start, (k, s) => {
      const normal = c.normal.at(k);
      const approach = {
        depth: radius.add(c.offset.at(k)).sub(dot(normal, s.position)),
        speed: dot(normal, s.velocity).neg(),
        acceleration: dot(normal, acceleration).neg(),
      };
      const isMet = canMeet.and(approach.depth.gt(0)).and(endSpeed(approach, dt).gt(0));
      return when(
        isMet,
        () => {
          const { impulse, timeLeft, timeBefore, height, pressedFor } = normalImpact(approach, restitution, dt);
          const mu = select(c.hasMaterial.at(k).gt(0), sqrt(c.mu.mul(c.surfaceMu.at(k))), c.mu);
          const friction = frictionImpulse(
            {
              normal,
              radius,
              orientation: s.orientation,
              inverseGyration,
              velocity: s.velocity.add(acceleration.mul(timeBefore)),
              angularVelocity: s.angularVelocity.add(spinUp.mul(timeBefore)),
              velocityChange: acceleration.mul(pressedFor),
              spinChange: spinUp.mul(pressedFor),
            },
            mu.mul(impulse),
          );
          const moved = normal.mul(height.add(approach.depth)).add(friction.velocity.mul(timeLeft));
          return moveBy(s, {
            position: moved,
            velocity: normal.mul(impulse).add(friction.velocity),
            turn: rotationStep(s.orientation, friction.spin, timeLeft),
            spin: friction.spin,
          });
        },
        () => s,
      );
    });
  });
}
