import type { Bool, F32, Mat22, Mat33, Quat, U32, Vec2, Vec3 } from '@gradsim/core';
import {
  abs,
  cross,
  detach,
  dot,
  f32,
  forRange,
  inverse,
  mat22,
  mat33,
  max,
  min,
  norm,
  normalize,
  outer,
  rotate,
  rotateInverse,
  select,
  vec2,
  vec3,
  when,
} from '@gradsim/core';

/** Corner of a body over a half-space. */
export interface FaceCorner {
  /** Position from the centre of mass, along the surface, m. */
  readonly place: Vec2;
  readonly depth: F32;
  /** Speed towards the half-space at the end of the substep, m/s, and acceleration, m/s^2. */
  readonly speed: F32;
  readonly fall: F32;
  /** True if it is inside the half-space, but for rounding. */
  readonly isInside: Bool;
}

/** Corners of a body that are inside a half-space. */
export interface Face {
  readonly count: U32;
  readonly cornerAt: (k: U32) => FaceCorner;
  /** True if there is one. */
  readonly isMet: Bool;
  /** True if they are three or more in one plane, not on a line, and rest. */
  readonly isFlat: Bool;
  /** Number of corners that are inside, at least 1. */
  readonly corners: F32;
  /** Mean of their places, m. */
  readonly centre: Vec2;
  /** Inverse of the sum of squares of their places from the centre, 1/m^2. */
  readonly inverseSpread: Mat22;
  /** Depth of their plane below the centre of mass, m, and its slope. */
  readonly depth: F32;
  readonly tilt: Vec2;
}

/** Motion of a body that may lie on a face. */
export interface Lying {
  /** Two axes along the surface, and its normal. */
  readonly axes: readonly [Vec3, Vec3, Vec3];
  /** Height of the centre of mass over the surface, m. */
  readonly height: F32;
  readonly orientation: Quat;
  /** Velocities in the middle of the substep, and their changes in it, by all forces but those of the half-space. */
  readonly velocity: Vec3;
  readonly angularVelocity: Vec3;
  readonly velocityChange: Vec3;
  readonly spinChange: Vec3;
  /** Inverse of the inertia over mass in body axes, 3 x 3, 1/m^2. */
  readonly inverseGyration: Mat33;
  readonly mu: F32;
}

/** Squares of the width of a face over those of its length below which it is a line, and of its bumps over its size. */
const [MIN_ROUNDNESS, MAX_BUMP] = [1e-5, 1e-8] as const;
/** Number of steps that take friction as linear in the slip, and never diverge, and of Newton's steps after them. */
const [SAFE_STEPS, NEWTON_STEPS] = [4, 3] as const;
/** Slip up to which friction of a corner is linear, over the slip that friction of all stops: one about which the others turn. */
const WIDTH = 1e-4;
/** Pressure of a corner, over that of all, that is rounding; and what of all may be lost where corners lift. */
const [ROUNDING, MAX_LOST] = [1e-6, 1e-4] as const;
/** Number of steps by which the corners that lift are found. */
const LIFT_STEPS = 3;
/** Lower bound of divisors: impulses over mass, m/s, and their squares. */
const LEAST = 1e-30;

/**
 * Finds the corners with which a body lies on a half-space.
 *
 * @param rests whether what has a depth, speed and acceleration would, rebounding, be back within the substep: on the mean of corners,
 *   since their depths at rest may be little more than rounding.
 */
export function faceOf(
  count: U32,
  cornerAt: (k: U32) => FaceCorner,
  rests: (corner: Pick<FaceCorner, 'depth' | 'speed' | 'fall'>) => Bool,
): Face {
  const [zero, nowhere] = [f32(0), vec2(0, 0)];
  const none = {
    corners: zero,
    sum: nowhere,
    squares: mat22(0, 0, 0, 0),
    depth: zero,
    slope: nowhere,
    depthSquares: zero,
    speed: zero,
    fall: zero,
    loose: zero,
  };
  const all = forRange(0, count, none, (k, found) => {
    const { place, depth, speed, fall, isInside } = cornerAt(k);
    const share = select(isInside, f32(1), zero);
    const at = place.mul(share);
    return {
      corners: found.corners.add(share),
      sum: found.sum.add(at),
      squares: found.squares.add(outer(at, at)),
      depth: found.depth.add(depth.mul(share)),
      slope: found.slope.add(at.mul(depth)),
      depthSquares: found.depthSquares.add(depth.mul(depth).mul(share)),
      speed: found.speed.add(speed.mul(share)),
      fall: found.fall.add(fall.mul(share)),
      loose: select(isInside.and(speed.le(0)), f32(1), found.loose),
    };
  });
  const { corners, centre, inverseSpread, size, isRound } = spreadOf(all);
  const slope = all.slope.sub(centre.mul(all.depth));
  const tilt = inverseSpread.mul(slope);
  const mean = all.depth.div(corners);
  const bump = all.depthSquares.sub(mean.mul(all.depth)).sub(dot(tilt, slope));
  const isResting = rests({ depth: mean, speed: all.speed.div(corners), fall: all.fall.div(corners) });
  const isFlat = all.corners
    .gt(2.5)
    .and(all.loose.eq(0).and(isResting))
    .and(isRound)
    .and(bump.lt(size.mul(MAX_BUMP)));
  const depth = mean.sub(dot(tilt, centre));
  return { count, cornerAt, isMet: all.corners.gt(0), isFlat, corners, centre, inverseSpread, depth, tilt };
}

/** Places of corners. */
type Spread = Pick<Face, 'corners' | 'centre' | 'inverseSpread'>;

/** @param sums number of corners, sum of their places, and of the squares of these. */
function spreadOf(sums: { readonly corners: F32; readonly sum: Vec2; readonly squares: Mat22 }) {
  const corners = max(sums.corners, 1);
  const centre = sums.sum.div(corners);
  const [xx, xy, , yy] = sums.squares.sub(outer(centre, centre).mul(corners)).entries;
  const area = xx.mul(yy).sub(xy.mul(xy));
  const size = xx.add(yy);
  const isRound = area.gt(size.mul(size).mul(MIN_ROUNDNESS));
  const inverseSpread = mat22(yy, xy.neg(), xy.neg(), xx).mul(f32(1).div(select(isRound, area, f32(1))));
  return { corners, centre, inverseSpread, size, isRound };
}

/** Sums over the corners of a face. */
const overCorners = <V extends F32 | Vec3>({ count, cornerAt }: Face, start: V, next: (sum: V, at: Vec2) => V): V =>
  forRange(0, count, start as F32, (k, sum) => {
    const { place, isInside } = cornerAt(k);
    return select(isInside, next(sum as V, place) as F32, sum);
  }) as V;

/** Places of those corners of a face that meet a condition. */
const spreadWhere = ({ count, cornerAt }: Face, isOn: (at: Vec2) => Bool): Spread =>
  spreadOf(
    forRange(0, count, { corners: f32(0), sum: vec2(0, 0), squares: mat22(0, 0, 0, 0) }, (k, sums) => {
      const { place, isInside } = cornerAt(k);
      const share = select(isInside.and(isOn(place)), f32(1), f32(0));
      const at = place.mul(share);
      return {
        corners: sums.corners.add(share),
        sum: sums.sum.add(at),
        squares: sums.squares.add(outer(at, at)),
      };
    }),
  );

/** Two axes along a surface, and its normal. */
export function axesOf(normal: Vec3): readonly [Vec3, Vec3, Vec3] {
  const aside = select(abs(normal.x).lt(0.6), f32(1), f32(0));
  const first = normalize(cross(normal, vec3(aside, f32(1).sub(aside), 0)));
  return [first, cross(normal, first), normal];
}

/** Slip of a place of a face that moves with a velocity along the surface and a spin about the normal (the third component). */
const slipAt = ({ x, y, z: spin }: Vec3, at: Vec2): Vec2 => vec2(x.sub(spin.mul(at.y)), y.add(spin.mul(at.x)));
/** Force along the surface, and torque about the normal, of a force at a place. */
const loadAt = ({ x, y }: Vec2, at: Vec2): Vec3 => vec3(x, y, at.x.mul(y).sub(at.y.mul(x)));
const along = ({ x, y }: Vec3): Vec2 => vec2(x, y);
const unit = (v: Vec2): Vec2 => v.div(max(norm(v), LEAST));

/** Motion of a face along its surface: two velocities and the spin about the normal. */
interface Gliding {
  /** Their inertias over mass. */
  readonly mass: Vec3;
  /** Motion without friction, and before the forces of the substep. */
  readonly free: Vec3;
  readonly old: Vec3;
  /** Impulse over mass along the normal. */
  readonly pressed: F32;
  readonly mu: F32;
  /** First moment of the pressure without friction, and its change with that of the motion by friction. */
  readonly moment: Vec2;
  readonly momentBy: readonly [Vec3, Vec3];
}

/** The normal velocity of a body on a face ends, and so does its spin but that about the normal. */
function glidingOf({ axes, height, orientation: q, mu, inverseGyration, ...lying }: Lying): Gliding {
  const [first, second, normal] = axes;
  const inAxes = (v: Vec3): Vec3 => vec3(dot(first, v), dot(second, v), dot(normal, v));
  const gyration = inverse(inverseGyration);
  const momentum = (spin: Vec3): Vec3 => inAxes(rotate(q, gyration.mul(rotateInverse(q, spin))));
  const [v, w] = [inAxes(lying.velocity), inAxes(lying.angularVelocity)];
  const stopping = momentum(first.mul(w.x).add(second.mul(w.y))).neg();
  const byYaw = momentum(normal);
  const yaw = stopping.z.neg().div(byYaw.z);
  const free = vec3(v.x, v.y, w.z.add(yaw));
  const load = inAxes(lying.velocityChange);
  const old = free.sub(vec3(load.x, load.y, momentum(lying.spinChange).z.div(byYaw.z)));
  // Torques across: n x (L + h n x P) = pressure times its place.
  const moment = vec2(stopping.y.add(byYaw.y.mul(yaw)).neg(), stopping.x.add(byYaw.x.mul(yaw)));
  const momentBy = [vec3(height.neg(), 0, byYaw.y.neg()), vec3(0, height.neg(), byYaw.x)] as const;
  return { mass: vec3(1, 1, byYaw.z), free, old, pressed: v.z.neg(), mu, moment, momentBy };
}

/** Pressure at places, linear over the corners that it presses on, and 0 at others. */
interface Pressure {
  readonly at: (place: Vec2) => F32;
  /** Change of the pressure at a place with the first moment of all. */
  readonly byMoment: (place: Vec2) => Vec2;
}

/** Pressure in a part of the substep in which friction changes the motion. */
function pressureIn(face: Face, gliding: Gliding, change: Vec3, part: F32): Pressure {
  const { momentBy } = gliding;
  const total = gliding.pressed.mul(part);
  const moment = gliding.moment.mul(part).add(vec2(dot(momentBy[0], change), dot(momentBy[1], change)));
  const over = ({ corners, centre, inverseSpread }: Spread) => {
    const slope = inverseSpread.mul(moment.sub(centre.mul(total)));
    return { mean: total.div(corners), slope, centre, inverseSpread };
  };
  const pressureOf = ({ mean, slope, centre }: ReturnType<typeof over>, at: Vec2): F32 =>
    mean.add(dot(slope, at.sub(centre)));
  const all = over(face);
  const least = overCorners(face, f32(0), (least, at) => min(least, pressureOf(all, at)));
  const found = when(
    least.lt(total.mul(-ROUNDING)),
    () => forRange(0, LIFT_STEPS, all, (_, last) => over(spreadWhere(face, (at) => pressureOf(last, at).gt(0)))),
    () => all,
  );
  const isOn = (at: Vec2): Bool => pressureOf(found, at).gt(0);
  return {
    at: (at) => max(pressureOf(found, at), 0),
    byMoment: (at) => select(isOn(at), found.inverseSpread.mul(at.sub(found.centre)), vec2(0, 0)),
  };
}

/** Part of a substep, and the motion at its end without friction in it. */
interface Part {
  readonly begin: Vec3;
  readonly part: F32;
}

/**
 * Part of the substep after its turn: where friction against the old slip would turn the motion back, it opposes that up to the time at
 * which the motion of the face as a whole, by the metric of its inertias, is no longer along the old one.
 */
function afterTurn(face: Face, gliding: Gliding): Part {
  const { mass, free, old, pressed, mu } = gliding;
  const sliding = unit(along(old)).mul(mu.mul(pressed).neg());
  const pressure = pressureIn(face, gliding, vec3(sliding.x, sliding.y, 0), f32(1));
  const rubbed = overCorners(face, vec3(0, 0, 0), (sum, at) =>
    sum.sub(loadAt(unit(slipAt(old, at)).mul(mu.mul(pressure.at(at))), at)),
  ).div(mass);
  const slowed = free.add(rubbed);
  const weighed = old.mul(mass);
  const turns = dot(slowed, weighed).lt(0);
  const until = select(turns, dot(old, weighed).div(max(dot(old.sub(slowed), weighed), LEAST)), f32(0));
  return { begin: free.add(rubbed.mul(until)), part: f32(1).sub(until) };
}

/**
 * Impulse that stops the motion over that of friction, of the corner where it is greatest: it is shared by the corners by their
 * pressure, and turned about the centre of that.
 */
function effort(face: Face, gliding: Gliding, { begin, part }: Part): F32 {
  const { mass, pressed, mu, moment, momentBy } = gliding;
  const limit = mu.mul(pressed).mul(part);
  const pressure = pressureIn(face, gliding, begin.neg(), part);
  const byFriction = vec2(dot(momentBy[0], begin), dot(momentBy[1], begin));
  const middle = moment
    .mul(part)
    .sub(byFriction)
    .div(max(pressed.mul(part), LEAST));
  const spread = overCorners(face, f32(0), (sum, at) => {
    const from = at.sub(middle);
    return sum.add(pressure.at(at).mul(mu).mul(dot(from, from)));
  });
  const stopping = begin.mul(mass).neg();
  const twist = stopping.z.sub(loadAt(along(stopping), middle).z).div(max(spread, LEAST));
  const straight = along(stopping).div(max(limit, LEAST));
  return overCorners(face, f32(0), (most, at) =>
    max(most, norm(slipAt(vec3(straight.x, straight.y, twist), at.sub(middle)))),
  );
}

/** Motion at the end of a part in which the face slides: M (w - begin) + sum of mu p u / |u| = 0, by Newton's method. */
function slide(face: Face, gliding: Gliding, { begin, part }: Part, start: Vec3): Vec3 {
  const { mass, pressed, mu, momentBy } = gliding;
  const width = max(mu.mul(pressed).mul(part).mul(WIDTH), LEAST);
  /** A vector that is 0 at the end, and its slope: of friction as if linear in the slip, or Newton's. */
  const residualAt = (motion: Vec3, isNewton: F32): { pull: Vec3; slope: Mat33 } => {
    const pressure = pressureIn(face, gliding, motion.sub(begin), part);
    const inertia = { pull: motion.sub(begin).mul(mass), slope: mat33(mass.x, 0, 0, 0, mass.y, 0, 0, 0, mass.z) };
    return forRange(0, face.count, inertia, (k, sums) => {
      const { place: at, isInside } = face.cornerAt(k);
      const friction = select(isInside, pressure.at(at).mul(mu), f32(0));
      const slip = slipAt(motion, at);
      const size = max(norm(slip), width);
      const [x, y, rubbed] = [vec2(1, 0), vec2(0, 1), slip.div(size)].map((force) => loadAt(force, at));
      const turned = outer(rubbed, rubbed).mul(select(size.gt(width), isNewton, f32(0)));
      const slope = outer(x, x).add(outer(y, y)).sub(turned).mul(friction.div(size));
      const limitBy = pressure.byMoment(at).mul(select(isInside, mu.mul(isNewton), f32(0)));
      const byMotion = momentBy[0].mul(limitBy.x).add(momentBy[1].mul(limitBy.y));
      return {
        pull: sums.pull.add(rubbed.mul(friction)),
        slope: sums.slope.add(slope).add(outer(rubbed, byMotion)),
      };
    });
  };
  const found = forRange(0, SAFE_STEPS + NEWTON_STEPS, detach(start), (k, motion) => {
    const { pull, slope } = residualAt(motion, select(k.lt(SAFE_STEPS), f32(0), f32(1)));
    return motion.sub(inverse(slope).mul(pull));
  });
  // One step more has the derivatives of the solution.
  const end = detach(found);
  const { pull, slope } = residualAt(end, f32(1));
  return end.sub(detach(inverse(slope)).mul(pull));
}

/**
 * Changes of velocity (m/s) and spin (rad/s) by which a body lies on in a substep, and whether its face presses everywhere. All corners
 * are taken together. Their pressure is linear over the face, with the sum and centre that end the normal velocity and the spin across
 * the surface; friction of each is mu times its pressure, against its slip at the end of the substep, or holds the face.
 */
export function lieOn(
  face: Face,
  lying: Lying,
): { readonly velocity: Vec3; readonly spin: Vec3; readonly presses: Bool } {
  const gliding = glidingOf(lying);
  const { free, pressed } = gliding;
  const after = afterTurn(face, gliding);
  const ratio = effort(face, gliding, after);
  const start = after.begin.mul(f32(1).sub(f32(1).div(max(ratio, 1))));
  const end = select(ratio.le(1), vec3(0, 0, 0), slide(face, gliding, after, start));
  const change = end.sub(free);
  const pressure = pressureIn(face, gliding, change, f32(1));
  const held = overCorners(face, f32(0), (sum, at) => sum.add(pressure.at(at)));
  const [first, second, normal] = lying.axes;
  return {
    velocity: first.mul(change.x).add(second.mul(change.y)).add(normal.mul(pressed)),
    spin: normal.mul(end.z).sub(lying.angularVelocity),
    presses: pressed.gt(0).and(abs(held.sub(pressed)).lt(pressed.mul(MAX_LOST))),
  };
}
