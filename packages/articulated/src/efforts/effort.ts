import type { F32, FieldOf, Kernel, Quat, Value, Vec3 } from '@gradsim/core';
import { abs, atan2, dot, f32, kernel, norm, select, sqrt, when } from '@gradsim/core';
import type { ForceInterval, MotionToState, Touch } from '@gradsim/dynamics';
import { depthInside, memoise, motionToState, pressureOf } from '@gradsim/dynamics';
import { Link } from '../link.ts';

type FieldRefs = Readonly<Record<string, FieldOf<Value>>>;
type ValuesAt<R extends FieldRefs> = { readonly [K in keyof R]: R[K] extends FieldOf<infer V> ? V : never };

interface Drag {
  readonly damping: F32;
  readonly dryFriction: F32;
  readonly frictionStiffness: F32;
}

/**
 * Torque or force of a joint limit, N m or N: contact in one dimension. The penetration is how far the joint is beyond
 * its limit, rad or m, and it leaves at the rate back towards the allowed range, rad/s or m/s.
 */
export const limitEffort = (touch: Touch, lead: MotionToState): F32 =>
  when(
    depthInside(touch, lead).gt(0),
    () => pressureOf(touch, lead).force,
    () => f32(0),
  );

/**
 * Coefficient of damping and dry friction at an absolute rate |q'|, torque over rate, N m s/rad or N s/m: c + min(kf,
 * tau_c / |q'|).
 */
function dragCoefficient({ damping, dryFriction, frictionStiffness }: Drag, speed: F32): F32 {
  // Without dry friction nothing holds, at rest too.
  const isSlow = frictionStiffness.mul(speed).le(dryFriction).and(dryFriction.gt(0));
  const moving = dryFriction.div(select(speed.gt(0), speed, f32(1)));
  return damping.add(select(isSlow, frictionStiffness, moving));
}

/** Makes a kernel once for each time that its forces may stand for. */
const perInterval = (make: (interval: ForceInterval) => Kernel): ((interval: ForceInterval) => Kernel) => {
  const made = memoise((_: typeof Link, interval: ForceInterval) => make(interval));
  return (interval) => made(Link, interval);
};

const DRAG_READS = {
  damping: Link.damping,
  dryFriction: Link.dryFriction,
  frictionStiffness: Link.frictionStiffness,
};
const AXIS_READS = {
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

/** Sum of motor, spring and limit torques of a joint with an axis, N m, or forces, N. */
function axisForces(l: ValuesAt<typeof AXIS_READS>, lead: MotionToState): F32 {
  const spring = l.stiffness.mul(l.coordinate.sub(l.restCoordinate)).neg();
  const limit = { ke: l.limitStiffness, kd: l.limitDamping };
  const below = limitEffort({ ...limit, penetration: l.lower.sub(l.coordinate), leaving: l.rate }, lead);
  const above = limitEffort({ ...limit, penetration: l.coordinate.sub(l.upper), leaving: l.rate.neg() }, lead);
  return l.drive.add(spring).add(below).sub(above);
}

/** Sets the effort of joints with an axis: the sum of motor, spring, damping, dry friction and limits. */
export const axisEffort = perInterval((interval) =>
  kernel(
    'axisEffort',
    { domain: Link, reads: { ...DRAG_READS, ...AXIS_READS }, adds: { effort: Link.effort } },
    (l, moment) => {
      const drag = l.rate.mul(dragCoefficient(l, abs(l.rate)));
      l.effort.add(axisForces(l, motionToState(moment, interval)).sub(drag));
    },
  ),
);

/**
 * Sets the effort of implicit joints with an axis: motor, spring and limits only, since damping and dry friction are
 * evaluated at the end of the substep.
 */
export const axisEffortWithoutDrag = perInterval((interval) =>
  kernel('axisEffortWithoutDrag', { domain: Link, reads: AXIS_READS, adds: { effort: Link.effort } }, (l, moment) =>
    l.effort.add(axisForces(l, motionToState(moment, interval))),
  ),
);

const BALL_READS = {
  stiffness: Link.stiffness,
  jointOrientation: Link.jointOrientation,
  angularVelocity: Link.angularVelocity,
  ballDrive: Link.ballDrive,
  upper: Link.upper,
  limitStiffness: Link.limitStiffness,
  limitDamping: Link.limitDamping,
};

/**
 * Sum of motor, spring and limit torques of a ball joint, N m, in the link's axes. Spring and limit act against the
 * rotation from rest, whose maximum is `upper`.
 */
function ballForces(l: ValuesAt<typeof BALL_READS>, lead: MotionToState): Vec3 {
  const { angle, axis, vector } = rotationOfQuaternion(l.jointOrientation);
  const leaving = dot(axis, l.angularVelocity).neg();
  const touch = { penetration: angle.sub(l.upper), leaving, ke: l.limitStiffness, kd: l.limitDamping };
  const limit = limitEffort(touch, lead);
  return l.ballDrive.sub(vector.mul(l.stiffness)).sub(axis.mul(limit));
}

/** Sets the effort of ball joints: the sum of motor, spring, damping, dry friction and limit. */
export const ballEffort = perInterval((interval) =>
  kernel(
    'ballEffort',
    { domain: Link, reads: { ...DRAG_READS, ...BALL_READS }, adds: { ballEffort: Link.ballEffort } },
    (l, moment) => {
      const w = l.angularVelocity;
      l.ballEffort.add(ballForces(l, motionToState(moment, interval)).sub(w.mul(dragCoefficient(l, norm(w)))));
    },
  ),
);

/** Sets the effort of implicit ball joints: motor, spring and limit only. */
export const ballEffortWithoutDrag = perInterval((interval) =>
  kernel(
    'ballEffortWithoutDrag',
    { domain: Link, reads: BALL_READS, adds: { ballEffort: Link.ballEffort } },
    (l, moment) => l.ballEffort.add(ballForces(l, motionToState(moment, interval))),
  ),
);

/**
 * Rotation of a unit quaternion: its angle, from 0 to pi, axis, and rotation vector. Without a rotation, the axis is
 * zero.
 */
function rotationOfQuaternion(q: Quat): { readonly angle: F32; readonly axis: Vec3; readonly vector: Vec3 } {
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
