import type { Bool, F32, Kernel, KernelFields, Quat, Reader, U32, Vec3 } from '@gradsim/core';
import {
  abs,
  cross,
  dot,
  f32,
  field,
  fieldOn,
  forRange,
  index,
  kernel,
  max,
  min,
  normalize,
  rotate,
  rotateInverse,
  select,
  sqrt,
  u32,
  vec2,
  vec3,
  when,
} from '@gradsim/core';
import { memoise, rotationStep } from '@gradsim/dynamics';
import { HalfSpace, HalfSpaceMaterial } from '../components.ts';
import { readsOnElements } from '../fields.ts';
import { impactOf } from './components.ts';
import { cornerImpulse } from './corner-blow.ts';
import type { BegunReads, BodiesThatBounce, Motion, States } from './kernels.ts';
import { heldBefore, motionOf, moveBy, statesOf, velocitiesBefore } from './kernels.ts';
import { timeSince } from './law.ts';
import type { FaceCorner } from './resting-face.ts';
import { axesOf, faceOf, lieOn } from './resting-face.ts';

/**
 * Maximum number of corner impacts of a body per substep, processed one after another; a corner may hit repeatedly. A
 * box that lands on a face has four at once.
 */
const MAX_CORNER_IMPACTS = 8;
/** Height up to which a corner of a face counts as inside, in roundings of its distance from the origin. */
const SLACK = 4;

/** Bodies that collide with half-spaces by the vertices of their meshes. */
export type BodiesWithCorners = BodiesThatBounce & Required<Pick<BodiesThatBounce, 'vertices'>>;

/** Range of a body's vertices: index of the first, and their number, which is 0 for bodies that collide as spheres. */
export const cornersIn = memoise(({ component: { domain }, vertices }: BodiesWithCorners) => ({
  firstCorner: field(domain, 'firstCorner', index(vertices.local.domain)),
  cornerCount: field(domain, 'cornerCount', u32),
}));

/** A corner that, at the end of the substep, is inside a half-space and moves further into it. */
interface CornerHit {
  /** True if such a corner exists. */
  readonly any: Bool;
  /** Time from the corner's entry into the half-space to the end of the substep, s. */
  readonly timeLeft: F32;
  /** Penetration depth at the end of the substep, m. */
  readonly depth: F32;
  /** Position of the corner relative to the centre of mass, in body axes, m. */
  readonly corner: Vec3;
  readonly normal: Vec3;
  readonly mu: F32;
  /** True if the corner, after rebounding, would hit the half-space again before the end of the substep. */
  readonly hitsAgain: Bool;
}

const readsOfCorners = (bodies: BodiesWithCorners) => {
  const { restitution, mu } = impactOf(bodies.component);
  const { unitNormal: normal, offset, hasMaterial } = HalfSpace;
  return {
    ...statesOf(bodies),
    ...velocitiesBefore(bodies),
    ...cornersIn(bodies),
    restitution,
    mu,
    fixed: bodies.motion.fixed,
    inverseGyration: bodies.motion.inverseGyration,
    local: fieldOn(bodies.vertices.local),
    ...readsOnElements({ normal, offset, hasMaterial, surfaceMu: HalfSpaceMaterial.mu }),
  };
};
type Cornered = KernelFields<ReturnType<typeof readsOfCorners>, Record<never, never>>;

/**
 * Kernel that applies the impacts of corners during the substep just integrated: puts down what rests on a face; else finds the
 * corner that entered a half-space first, applies its impact at that time, and repeats this with the changed motion.
 *
 * @param halfSpaces number of half-spaces.
 */
export function impactCorners(bodies: BodiesWithCorners, halfSpaces: number): Kernel {
  const reads = readsOfCorners(bodies);
  const writes = statesOf(bodies);
  const { component } = bodies;
  return kernel(`impactCorners_${component.domain}`, { domain: component, reads, writes }, (c, moment) => {
    const { lying, applyFirst } = corners(c, halfSpaces, motionOf(c, moment));
    const { goesOn: _, ...end } = forRange(0, MAX_CORNER_IMPACTS, lying, (_, { goesOn, ...s }) =>
      when(
        goesOn.gt(u32(0)),
        () => applyFirst(s),
        () => ({ ...s, goesOn }),
      ),
    );
    return end;
  });
}

/** Kernel that holds what rests on a face up to the time within the substep at which a push begins. */
export function holdFaceUntilPush(bodies: BodiesWithCorners, begun: BegunReads, halfSpaces: number): Kernel {
  const { component } = bodies;
  const reads = { ...readsOfCorners(bodies), ...begun };
  const writes = { ...statesOf(bodies), ...velocitiesBefore(bodies) };
  return kernel(`holdFaceUntilPush_${component.domain}`, { domain: component, reads, writes }, (c, moment) =>
    heldBefore(c, moment, (without) => {
      const { isInside, lying } = corners(c, halfSpaces, without);
      const { goesOn, ...end } = lying;
      return { end, isHeld: isInside.gt(0).and(goesOn.eq(u32(0))) };
    }),
  );
}

/** Body with corners at the end of a motion: put down, where it rests on a face; and the impact of its first corner. */
function corners(c: Cornered, halfSpaces: number, { start, acceleration, spinUp, dt, epsilon }: Motion) {
  const { restitution, inverseGyration, firstCorner } = c;
  const count = select(c.fixed.eq(0), c.cornerCount, u32(0));

  /** Velocity and spin at the end of the substep: the stored ones are those in its middle, unlike positions. */
  const endOf = (s: States) => ({
    velocity: s.velocity.add(acceleration.mul(dt.mul(0.5))),
    spin: s.angularVelocity.add(spinUp.mul(dt.mul(0.5))),
  });

  const meetingOf = (s: States, end: ReturnType<typeof endOf>, k: U32, v: U32) => {
    const n = c.normal.at(k);
    const corner = vertexAt(c.local, firstCorner, v);
    const arm = rotate(s.orientation, corner);
    const depth = c.offset.at(k).sub(dot(n, s.position.add(arm)));
    const turning = cross(end.spin, arm);
    const speed = dot(n, end.velocity.add(turning)).neg();
    const pull = acceleration.add(cross(spinUp, arm)).add(cross(end.spin, turning));
    return { corner, arm, depth, speed, fall: dot(n, pull).neg() };
  };
  /** Time since the surface was met, as for a ball, see `normalImpact`, and whether what rebounds is back within the substep. */
  const sinceMet = ({ depth, speed, fall }: Readonly<Record<'depth' | 'speed' | 'fall', F32>>) => {
    const w = sqrt(max(speed.mul(speed).sub(fall.mul(depth).mul(2)), f32(0)));
    const left = timeSince(depth, speed, w, dt);
    return { left, rests: restitution.mul(w).mul(2).lt(fall.mul(left)) };
  };
  const surfaceMu = (k: U32): F32 => select(c.hasMaterial.at(k).gt(0), sqrt(c.mu.mul(c.surfaceMu.at(k))), c.mu);

  const firstMet = (s: States): CornerHit => {
    const end = endOf(s);
    const none = {
      timeLeft: f32(-1),
      depth: f32(0),
      corner: vec3(0, 0, 0),
      normal: vec3(0, 1, 0),
      mu: f32(0),
      rest: f32(0),
    };
    const met = forRange(0, halfSpaces, none, (k, found) => {
      const n = c.normal.at(k);
      const surface = surfaceMu(k);
      return forRange(0, count, found, (v, found) => {
        const { corner, ...met } = meetingOf(s, end, k, v);
        const { depth, speed } = met;
        const { left, rests } = sinceMet(met);
        const isFirst = depth.gt(0).and(speed.gt(0)).and(left.gt(found.timeLeft));
        return {
          timeLeft: select(isFirst, left, found.timeLeft),
          depth: select(isFirst, depth, found.depth),
          corner: select(isFirst, corner, found.corner),
          normal: select(isFirst, n, found.normal),
          mu: select(isFirst, surface, found.mu),
          rest: select(isFirst, select(rests, f32(1), f32(0)), found.rest),
        };
      });
    });
    return { ...met, any: met.timeLeft.ge(0), hitsAgain: met.rest.gt(0) };
  };

  /** True if a corner ends the substep inside a half-space. Most substeps are flight: this is all that they cost. */
  const isInside = forRange(0, halfSpaces, u32(0), (k, found) =>
    forRange(0, count, found, (v, found) => {
      const arm = rotate(start.orientation, vertexAt(c.local, firstCorner, v));
      const depth = c.offset.at(k).sub(dot(c.normal.at(k), start.position.add(arm)));
      return select(depth.gt(0), u32(1), found);
    }),
  );

  const applyFirst = (s: States): States & { readonly goesOn: U32 } => {
    const met = firstMet(s);
    return when(
      met.any,
      () => {
        // A resting corner is in contact all the time: its weight is taken up in the middle of the substep, where
        // velocities are defined.
        const left = select(met.hitsAgain, f32(0), met.timeLeft);
        const since = select(met.hitsAgain, f32(0), dt.mul(0.5).sub(left));
        const velocity = s.velocity.add(acceleration.mul(since));
        const angularVelocity = s.angularVelocity.add(spinUp.mul(since));
        const q = normalize(s.orientation.add(rotationStep(s.orientation, angularVelocity, left.neg()))) as Quat;
        const blow = cornerImpulse({
          corner: met.corner,
          normal: rotateInverse(q, met.normal),
          inverseGyration,
          mu: met.mu,
          velocity: rotateInverse(q, velocity),
          angularVelocity: rotateInverse(q, angularVelocity),
          restitution: select(met.hitsAgain, f32(0), restitution),
          isResting: met.hitsAgain,
        });
        const pushed = rotate(q, blow.velocity);
        const spun = rotate(q, blow.spin);
        const lifted = met.normal.mul(select(met.hitsAgain, met.depth, f32(0)));
        const moved = moveBy(s, {
          position: pushed.mul(left).add(lifted),
          velocity: pushed,
          turn: rotationStep(s.orientation, spun, left),
          spin: spun,
        });
        return { ...moved, goesOn: u32(1) };
      },
      () => ({ ...s, goesOn: u32(0) }),
    );
  };

  /** Puts a body that rests on a face down; `goesOn` is 1 if other corners of it are inside a half-space. */
  const putDown = (k: U32, { goesOn, ...s }: States & { readonly goesOn: U32 }) => {
    const end = endOf(s);
    const n = c.normal.at(k);
    const axes = axesOf(n);
    const slack = epsilon.mul(
      abs(c.offset.at(k))
        .add(abs(dot(n, s.position)))
        .mul(SLACK),
    );
    const cornerAt = (v: U32): FaceCorner => {
      const { arm, ...met } = meetingOf(s, end, k, v);
      const place = vec2(dot(axes[0], arm), dot(axes[1], arm));
      return { ...met, place, isInside: met.depth.gt(slack.neg()) };
    };
    const face = faceOf(count, cornerAt, (mean) => sinceMet(mean).rests);
    const isMet = select(face.isMet, u32(1), goesOn);
    return when(
      face.isFlat,
      () => {
        const { velocity, spin, presses } = lieOn(face, {
          axes,
          height: dot(n, s.position).sub(c.offset.at(k)).add(face.depth),
          orientation: s.orientation,
          velocity: s.velocity,
          angularVelocity: s.angularVelocity,
          velocityChange: acceleration.mul(dt),
          spinChange: spinUp.mul(dt),
          inverseGyration,
          mu: surfaceMu(k),
        });
        const left = min(timeSince(face.depth, dot(n, end.velocity).neg(), f32(0), dt), dt);
        const slid = velocity.sub(n.mul(dot(n, velocity))).mul(left);
        const level = axes[0].mul(face.tilt.y).sub(axes[1].mul(face.tilt.x));
        const turn = n.mul(dot(n, spin).mul(left)).add(level);
        const change = (by: Vec3): Vec3 => select(presses, by, vec3(0, 0, 0));
        const moved = moveBy(s, {
          position: change(slid.add(n.mul(face.depth))),
          velocity: change(velocity),
          turn: rotationStep(s.orientation, change(turn), f32(1)),
          spin: change(spin),
        });
        return { ...moved, goesOn: select(presses, goesOn, isMet) };
      },
      () => ({ ...s, goesOn: isMet }),
    );
  };

  const lying = when(
    isInside.gt(0),
    () => forRange(0, halfSpaces, { ...start, goesOn: u32(0) }, putDown),
    () => ({ ...start, goesOn: u32(0) }),
  );
  return { isInside, lying, applyFirst };
}

const vertexAt = (local: Reader<Vec3>, first: U32, k: U32): Vec3 => local.at(first.add(k));
