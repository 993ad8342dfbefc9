import type { Bool, F32, Kernel, KernelFields, U32, Vec3 } from '@gradsim/core';
import {
  cross,
  determinant,
  dot,
  f32,
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
import { rotationStep } from '@gradsim/dynamics';
import { HalfSpace, HalfSpaceMaterial } from '../components.ts';
import { readsOnElements } from '../fields.ts';
import { impactOf } from './components.ts';
import type { BegunReads, BodiesThatBounce, Motion, States } from './kernels.ts';
import { heldBefore, motionOf, moveBy, statesOf, velocitiesBefore } from './kernels.ts';
import type { Approach, Slip } from './law.ts';
import { endSpeed, frictionImpulse, normalImpact } from './law.ts';

/** Squared volume that the normals of half-spaces span, below which they are taken one after another. */
const MIN_SOLIDITY = 1e-4;

/** Half-spaces on which a sphere has been put; their number for none. */
type Wedge = Readonly<Record<'first' | 'second' | 'third', U32>>;

const readsOfSpheres = (bodies: BodiesThatBounce) => {
  const { radius, restitution, mu } = impactOf(bodies.component);
  const { unitNormal: normal, offset, hasMaterial } = HalfSpace;
  return {
    ...statesOf(bodies),
    ...velocitiesBefore(bodies),
    radius,
    restitution,
    mu,
    fixed: bodies.motion.fixed,
    inverseGyration: bodies.motion.inverseGyration,
    ...readsOnElements({ normal, offset, hasMaterial, surfaceMu: HalfSpaceMaterial.mu }),
  };
};

type Spheres = KernelFields<ReturnType<typeof readsOfSpheres>, Record<never, never>>;

/**
 * Kernel that applies the impacts of spheres during the substep just integrated, one half-space after another. A sphere
 * that ends inside a half-space and moves further into it has hit it during the substep.
 *
 * @param count number of half-spaces.
 */
export function impact(bodies: BodiesThatBounce, count: number): Kernel {
  const reads = readsOfSpheres(bodies);
  const { component } = bodies;
  return kernel(`impact_${component.domain}`, { domain: component, reads, writes: statesOf(bodies) }, (c, moment) =>
    touched(c, count, motionOf(c, moment)),
  );
}

/** Kernel that holds spheres that rest up to the time within the substep at which a push begins. */
export function holdUntilPush(bodies: BodiesThatBounce, begun: BegunReads, count: number): Kernel {
  const reads = { ...readsOfSpheres(bodies), ...begun };
  const writes = { ...statesOf(bodies), ...velocitiesBefore(bodies) };
  return kernel(`holdUntilPush_${bodies.component.domain}`, { domain: bodies.component, reads, writes }, (c, moment) =>
    heldBefore(c, moment, (without) => ({
      end: touched(c, count, without),
      isHeld: rests(c, count, without),
    })),
  );
}

/** Approach of spheres to half-spaces, and whether they meet them. */
function approaching(c: Spheres, { acceleration, dt }: Motion) {
  const canMeet = c.radius.gt(0).and(c.fixed.eq(0));
  const approachTo = (k: U32, s: States): Approach => ({
    depth: c.radius.add(c.offset.at(k)).sub(dot(c.normal.at(k), s.position)),
    speed: dot(c.normal.at(k), s.velocity).neg(),
    acceleration: dot(c.normal.at(k), acceleration).neg(),
  });
  const isMet = (approach: Approach): Bool => canMeet.and(approach.depth.gt(0)).and(endSpeed(approach, dt).gt(0));
  return { approachTo, isMet };
}

/** True if a sphere touches half-spaces, and rests on all that it touches. */
function rests(c: Spheres, count: number, motion: Motion): Bool {
  const { approachTo, isMet } = approaching(c, motion);
  const none = { met: f32(0), loose: f32(0) };
  const { met, loose } = forRange(0, count, none, (k, found) => {
    const approach = approachTo(k, motion.start);
    const isLoose = normalImpact(approach, c.restitution, motion.dt).pressedFor.eq(0);
    const one = select(isMet(approach), f32(1), f32(0));
    return { met: found.met.add(one), loose: found.loose.add(select(isLoose, one, f32(0))) };
  });
  return met.gt(0).and(loose.eq(0));
}

/** State after the impacts. */
function touched(c: Spheres, count: number, motion: Motion): States {
  const { radius, restitution, inverseGyration } = c;
  const { start, acceleration, spinUp, dt } = motion;
  const { approachTo, isMet } = approaching(c, motion);
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
}
