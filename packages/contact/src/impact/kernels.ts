import type { Bool, F32, FieldOf, Kernel, Quat, U32, Vec3 } from '@gradsim/core';
import {
  addCompensated,
  cross,
  determinant,
  dot,
  f32,
  field,
  forRange,
  identity,
  inverse,
  kernel,
  matFromRows,
  normalize,
  quat,
  select,
  sqrt,
  transpose,
  u32,
  vec3,
  when,
} from '@gradsim/core';
import type { BodiesThatTouch, LeapfrogMotion } from '@gradsim/dynamics';
import { kickDuration, memoise, rotationStep } from '@gradsim/dynamics';
import { HalfSpace, HalfSpaceMaterial } from '../components.ts';
import { readsOnElements } from '../fields.ts';
import { impactOf } from './components.ts';
import type { Approach, Slip } from './law.ts';
import { endSpeed, frictionImpulse, normalImpact } from './law.ts';

/** Squared volume that the normals of half-spaces span, below which they are taken one after another. */
const MIN_SOLIDITY = 1e-4;

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

/** Half-spaces on which a sphere has been put; their number for none. */
type Wedge = Readonly<Record<'first' | 'second' | 'third', U32>>;

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
    const approachTo = (k: U32, s: States): Approach => ({
      depth: radius.add(c.offset.at(k)).sub(dot(c.normal.at(k), s.position)),
      speed: dot(c.normal.at(k), s.velocity).neg(),
      acceleration: dot(c.normal.at(k), acceleration).neg(),
    });
    const isMet = (approach: Approach): Bool => canMeet.and(approach.depth.gt(0)).and(endSpeed(approach, dt).gt(0));
    /** Friction on a half-space, some time from the middle of the substep. */
    const frictionOn = (
      k: U32,
      s: States,
      impulse: F32,
      since: F32,
      change: Pick<Slip, 'velocityChange' | 'spinChange'>,
    ) =>
      frictionImpulse(
        {
          normal: c.normal.at(k),
          radius,
          orientation: s.orientation,
          inverseGyration,
          velocity: s.velocity.add(acceleration.mul(since)),
          angularVelocity: s.angularVelocity.add(spinUp.mul(since)),
          ...change,
        },
        select(c.hasMaterial.at(k).gt(0), sqrt(c.mu.mul(c.surfaceMu.at(k))), c.mu).mul(impulse),
      );

    const bounced = (k: U32, s: States): States => {
      const normal = c.normal.at(k);
      const approach = approachTo(k, s);
      return when(
        isMet(approach),
        () => {
          const { impulse, timeLeft, timeBefore, height, pressedFor } = normalImpact(approach, restitution, dt);
          const change = { velocityChange: acceleration.mul(pressedFor), spinChange: spinUp.mul(pressedFor) };
          const friction = frictionOn(k, s, impulse, timeBefore, change);
          return moveBy(s, {
            position: normal.mul(height.add(approach.depth)).add(friction.velocity.mul(timeLeft)),
            velocity: normal.mul(impulse).add(friction.velocity),
            turn: rotationStep(s.orientation, friction.spin, timeLeft),
            spin: friction.spin,
          });
        },
        () => s,
      );
    };
    if (count < 2) return bounced(u32(0), start);

    const metOf = (k: U32, number: U32): U32 => number.add(select(isMet(approachTo(k, start)), u32(1), u32(0)));
    const met = forRange(0, count, u32(0), metOf);
    const alone = { ...start, first: u32(count), second: u32(count), third: u32(count) };
    const hasThird = met.ge(u32(3));
    /** Puts a sphere that rests on two or three half-spaces on all of them at once: one after another, it would hop between them. */
    const putOnAll = (): States & Wedge => {
      const none = { met: u32(0), first: u32(0), second: u32(0), third: u32(0) };
      const { first, second, third } = forRange(0, count, none, (k, found) => {
        const number = metOf(k, found.met);
        const at = (place: number, before: U32): U32 =>
          select(number.eq(u32(place)).and(found.met.lt(number)), k, before);
        return { met: number, first: at(1, found.first), second: at(2, found.second), third: at(3, found.third) };
      });
      const [a, b] = [c.normal.at(first), c.normal.at(second)];
      // Without a third, one across both, which nothing presses on.
      const normals = matFromRows([a, b, select(hasThird, c.normal.at(third), normalize(cross(a, b)))]);
      const gram = normals.mul(transpose(normals));
      const isSolid = determinant(gram).gt(MIN_SOLIDITY);
      const all = [first, second, third].map((k) => approachTo(k, start));
      const inverseGram = inverse(select(isSolid, gram, identity(3)));
      const solved = ([x, y, z]: readonly F32[]): Vec3 => inverseGram.mul(vec3(x, y, select(hasThird, z, f32(0))));
      const impulses = solved(all.map(({ speed }) => speed));
      const [isOnFirst, isOnSecond, isOnThird] = all.map((approach, m) =>
        normalImpact(approach, restitution, dt).pressedFor.gt(0).and(impulses.components[m].gt(0)),
      );
      const presses = isSolid.and(isOnFirst).and(isOnSecond).and(isOnThird.or(hasThird.not()));
      const pushed = transpose(normals).mul(impulses);
      const lying = moveBy(start, {
        position: transpose(normals).mul(solved(all.map(({ depth }) => depth))),
        velocity: pushed,
        turn: quat(0, 0, 0, 0),
        spin: vec3(0, 0, 0),
      });
      const change = { velocityChange: acceleration.mul(dt).add(pushed), spinChange: spinUp.mul(dt) };
      const of = <V extends U32 | F32>(m: U32, [x, y, z]: readonly V[]): V =>
        select(m.eq(u32(0)), x as F32, select(m.eq(u32(1)), y as F32, z as F32)) as V;
      return when(
        presses,
        () => {
          const rubbed = forRange(0, select(hasThird, u32(3), u32(2)), lying, (m, s) => {
            const k = of(m, [first, second, third]);
            const friction = frictionOn(k, s, of(m, impulses.components), f32(0), change);
            const { timeLeft } = normalImpact(approachTo(k, start), restitution, dt);
            return moveBy(s, {
              position: friction.velocity.mul(timeLeft),
              velocity: friction.velocity,
              turn: rotationStep(s.orientation, friction.spin, timeLeft),
              spin: friction.spin,
            });
          });
          return { ...rubbed, first, second, third: select(hasThird, third, second) };
        },
        () => alone,
      );
    };
    return when(
      met.gt(u32(0)),
      () => {
        const { first, second, third, ...wedged } = when(met.gt(u32(1)), putOnAll, () => alone);
        return forRange(0, count, wedged, (k, s) =>
          when(
            k.eq(first).or(k.eq(second)).or(k.eq(third)),
            () => s,
            () => bounced(k, s),
          ),
        );
      },
      () => start,
    );
  });
}
