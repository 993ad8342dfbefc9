import type { F32, FieldOf, Quat, Value, Vec3 } from '@gradsim/core';
import { abs, atan2, dot, f32, kernel, norm, select, sqrt } from '@gradsim/core';
import { Link } from './link.ts';

type Refs = Readonly<Record<string, FieldOf<Value>>>;
type ValuesAt<R extends Refs> = { readonly [K in keyof R]: R[K] extends FieldOf<infer V> ? V : never };

interface Drag {
  readonly damping: F32;
  readonly dryFriction: F32;
  readonly frictionStiffness: F32;
}

/** Excess over a limit: `depth` beyond it, and the rate `leaving` back towards the allowed range. */
interface Excess {
  readonly depth: F32;
  readonly leaving: F32;
}

/**
 * Force of a limit, k depth - s d leaving, zero within the range. The first substep is weighted as in contact: s = 1,
 * but in the first substep beyond, depth < moved = -leaving dt, s = 1/2 + depth / moved.
 */
export function limitEffort({ depth, leaving }: Excess, stiffness: F32, damping: F32, dt: F32): F32 {
  const depthRate = depth.div(dt);
  const isFirst = depthRate.lt(leaving.neg());
  const counted = select(isFirst, leaving.mul(0.5).sub(depthRate), leaving);
  return select(depth.gt(0), stiffness.mul(depth).sub(damping.mul(counted)), 0);
}

/** Torque per rate of damping and dry friction, at this absolute rate: c + min(kf, tau_c / |q'|). */
function resistance({ damping, dryFriction, frictionStiffness }: Drag, speed: F32): F32 {
  const isSlow = frictionStiffness.mul(speed).le(dryFriction);
  const moving = dryFriction.div(select(isSlow, f32(1), speed));
  return damping.add(select(isSlow, frictionStiffness, moving));
}

const DRAG = {
  damping: Link.damping,
  dryFriction: Link.dryFriction,
  frictionStiffness: Link.frictionStiffness,
};
const AXIS = {
  stiffness: Link.stiffness,
  restCoordinate: Link.restCoordinate,
  coordinate: Link.coordinate,
  rate: Link.rate,
  drive: Link.drive,
  lower: Link.lower,
  upper: Link.upper,
  limitStiffness: Link.limitStiffness,
  limitDamping: Link.limitDamping,
};

/** Motor, spring and limits of a joint with an axis. */
function axisForces(l: ValuesAt<typeof AXIS>, dt: F32): F32 {
  const spring = l.stiffness.mul(l.coordinate.sub(l.restCoordinate)).neg();
  const [k, d] = [l.limitStiffness, l.limitDamping];
  const below = limitEffort({ depth: l.lower.sub(l.coordinate), leaving: l.rate }, k, d, dt);
  const above = limitEffort({ depth: l.coordinate.sub(l.upper), leaving: l.rate.neg() }, k, d, dt);
  return l.drive.add(spring).add(below).sub(above);
}

/** Motor, spring, damping, dry friction and limits of joints with an axis. */
export const axisEffort = kernel(
  'axisEffort',
  { domain: Link, reads: { ...DRAG, ...AXIS }, adds: { effort: Link.effort } },
  (l, { dt }) => {
    const drag = l.rate.mul(resistance(l, abs(l.rate)));
    l.effort.add(axisForces(l, dt).sub(drag));
  },
);

/**
 * Motor, spring and limits only, for implicit joints, whose damping and dry friction are evaluated at the end of the
 * substep.
 */
export const axisEffortWithoutDrag = kernel(
  'axisEffortWithoutDrag',
  { domain: Link, reads: AXIS, adds: { effort: Link.effort } },
  (l, { dt }) => l.effort.add(axisForces(l, dt)),
);

const BALL = {
  stiffness: Link.stiffness,
  jointOrientation: Link.jointOrientation,
  angularVelocity: Link.angularVelocity,
  ballDrive: Link.ballDrive,
  upper: Link.upper,
  limitStiffness: Link.limitStiffness,
  limitDamping: Link.limitDamping,
};

/**
 * Motor, spring and limit of a ball joint, in the link's axes: against the rotation from rest, whose maximum is
 * `upper`.
 */
function ballForces(l: ValuesAt<typeof BALL>, dt: F32): Vec3 {
  const { angle, axis, vector } = turning(l.jointOrientation);
  const leaving = dot(axis, l.angularVelocity).neg();
  const limit = limitEffort({ depth: angle.sub(l.upper), leaving }, l.limitStiffness, l.limitDamping, dt);
  return l.ballDrive.sub(vector.mul(l.stiffness)).sub(axis.mul(limit));
}

/** Motor, spring, damping, dry friction and limit of ball joints. */
export const ballEffort = kernel(
  'ballEffort',
  { domain: Link, reads: { ...DRAG, ...BALL }, adds: { ballEffort: Link.ballEffort } },
  (l, { dt }) => {
    const w = l.angularVelocity;
    l.ballEffort.add(ballForces(l, dt).sub(w.mul(resistance(l, norm(w)))));
  },
);

/** Motor, spring and limit only, for implicit joints. */
export const ballEffortWithoutDrag = kernel(
  'ballEffortWithoutDrag',
  { domain: Link, reads: BALL, adds: { ballEffort: Link.ballEffort } },
  (l, { dt }) => l.ballEffort.add(ballForces(l, dt)),
);

/** Angle, from 0 to pi, axis, and rotation vector of a unit quaternion; without a rotation, there is no axis. */
function turning(q: Quat): { readonly angle: F32; readonly axis: Vec3; readonly vector: Vec3 } {
  const square = dot(q.vector, q.vector);
  // Near rest, atan(t) / t by its series, which is smooth there, and exact in doubles.
  const isSmall = square.lt(1e-4);
  const sine = sqrt(select(isSmall, f32(1), square));
  const w = select(q.w.lt(0), q.w.neg(), q.w);
  const tangent = square.div(select(isSmall, w.mul(w), f32(1)));
  const series = [1, -1 / 3, 1 / 5, -1 / 7, 1 / 9].reduceRight<F32>((sum, c) => sum.mul(tangent).add(c), f32(0));
  const ratio = select(isSmall, series.div(select(isSmall, w, f32(1))), atan2(sine, w).div(sine)).mul(2);
  const side = select(q.w.lt(0), f32(-1), f32(1));
  const vector = q.vector.mul(ratio.mul(side));
  const angle = norm(vector);
  return { angle, vector, axis: vector.div(select(angle.eq(0), f32(1), angle)) };
}
