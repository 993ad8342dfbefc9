import type { F32, Mat33, Quat, Vec3 } from '@gradsim/core';
import { cross, dot, f32, inverse, mat33, max, min, norm, rotate, rotateInverse, select, sqrt } from '@gradsim/core';

/** Motion of a sphere relative to a half-space at the end of a substep, as it would be without an impact. */
export interface Approach {
  /** Penetration of the sphere into the half-space, m. */
  readonly depth: F32;
  /** Speed towards the half-space in the middle of the substep, m/s. */
  readonly speed: F32;
  /** Acceleration towards the half-space, m/s^2. */
  readonly acceleration: F32;
}

/**
 * Time since an impact, in substeps, up to which it is taken at its own time: one that falls on the time of a state belongs, by
 * rounding, to the substep before it or after it. In single precision positions are off by up to some percent of a substep's way.
 */
const LONGEST_SINCE = 1 + 1 / 16;

/** Time since a surface was met, s, of a body that is inside it at the end of a substep and moves further inwards. */
export const timeSince = (depth: F32, endSpeed: F32, speedThere: F32, dt: F32): F32 =>
  min(depth.mul(2).div(max(endSpeed.add(speedThere), f32(1e-12))), dt.mul(LONGEST_SINCE));

/** Result of an impact for the motion along the normal. */
export interface NormalImpact {
  /** Impulse over mass along the normal, away from the half-space, m/s. */
  readonly impulse: F32;
  /** Time from the impact to the end of the substep, s. */
  readonly timeLeft: F32;
  /** Time from the middle of the substep to the impact, s; 0 for a resting sphere, which is in contact all the time. */
  readonly timeBefore: F32;
  /** Distance of the body's surface from the half-space at the end of the substep, m. */
  readonly height: F32;
  /** Time for which a resting sphere is pressed, s: the substep; 0 in an impact. */
  readonly pressedFor: F32;
}

/** Returns the speed towards the half-space at the end of a substep, m/s: stored velocities are those in its middle. */
export const endSpeed = ({ speed, acceleration }: Approach, dt: F32): F32 => speed.add(acceleration.mul(dt).mul(0.5));

/**
 * Computes an impact at its own time within a substep. With W the speed that the body would have at the substep's end
 * without the half-space, A the acceleration and d the depth, all inwards, the body hit the surface at speed w =
 * sqrt(W^2 - 2 A d), left = 2 d / (W + w) before the end. It rebounds with e w, e the restitution, and ends at the
 * height e w left - A left^2 / 2: the parabola of the continuous motion, exact under constant forces and of second
 * order in dt under others.
 *
 * If the body would hit the surface again within the substep, it comes to rest on the surface, and its remaining speed
 * is removed. So ever smaller hops end after a finite time, as they do in reality. At rest, the weight is balanced in
 * every substep.
 */
export function normalImpact(approach: Approach, restitution: F32, dt: F32): NormalImpact {
  const { depth, speed, acceleration } = approach;
  const end = endSpeed(approach, dt);
  const w = sqrt(max(end.mul(end).sub(acceleration.mul(depth).mul(2)), f32(0)));
  const timeLeft = timeSince(depth, end, w, dt);
  const up = restitution.mul(w);
  const fall = acceleration.mul(timeLeft);
  const rests = up.mul(2).lt(fall);
  return {
    impulse: select(rests, max(speed, f32(0)), up.add(w)),
    // The speed at which a resting sphere meets the surface is the root of a rounding.
    timeLeft: select(rests, min(timeSince(depth, end, f32(0), dt), dt), timeLeft),
    timeBefore: select(rests, f32(0), dt.mul(0.5).sub(timeLeft)),
    height: select(rests, f32(0), up.sub(fall.mul(0.5)).mul(timeLeft)),
    pressedFor: select(rests, dt, f32(0)),
  };
}

/** Motion and normal of a sphere that slips on a half-space. */
export interface Slip {
  readonly normal: Vec3;
  readonly radius: F32;
  /** Velocity of the sphere's centre, m/s, and its angular velocity, rad/s. */
  readonly velocity: Vec3;
  readonly angularVelocity: Vec3;
  readonly orientation: Quat;
  /** Change of both in the time for which the sphere is pressed, by all forces but those of the half-space; 0 in an impact. */
  readonly velocityChange: Vec3;
  readonly spinChange: Vec3;
  /** Inverse of the inertia over mass in body axes, 3 x 3, 1/m^2. */
  readonly inverseGyration: Mat33;
}

/**
 * Returns the friction of an impact as an impulse over mass j (m/s), perpendicular to the normal n, at the lowest point
 * r = -radius n, and the change of spin (rad/s). Source: Coulomb's law for rigid impacts. |j| is the smaller of `maxImpulse`,
 * mu times the normal impulse over mass, and the impulse that stops the slip u = v + w x r (perpendicular to n): K j =
 * -u, K = 1 - [r] J [r], J the inverse of inertia over mass. Where forces turn the slip of a resting sphere back within the
 * substep, friction opposes the old slip up to the turn and the new one after it, as in joints (`FrictionLaw` of
 * @gradsim/articulated): its mean holds around half of the slip that the whole substep would lead to.
 */
export function frictionImpulse(slip: Slip, maxImpulse: F32): { readonly velocity: Vec3; readonly spin: Vec3 } {
  const { normal, radius, orientation: q, inverseGyration: J } = slip;
  const arm = normal.mul(radius.neg());
  const acrossOf = (velocity: Vec3, spin: Vec3): Vec3 => {
    const u = velocity.add(cross(spin, arm));
    return rotateInverse(q, u.sub(normal.mul(dot(normal, u))));
  };
  const across = acrossOf(slip.velocity, slip.angularVelocity);
  const r = rotateInverse(q, arm);
  const R = crossMatrix(r);
  const K = mat33(1, 0, 0, 0, 1, 0, 0, 0, 1).sub(R.mul(J).mul(R));
  const K1 = inverse(K);
  const stopping = K1.mul(across).mul(-1);
  const size = norm(stopping);
  const sticks = size.lt(maxImpulse);
  const straight = stopping.mul(select(sticks, f32(1), maxImpulse.div(select(sticks, f32(1), max(size, f32(1e-12))))));
  // By impulses: of the stopped slip, of the old one, and of that around which friction holds.
  const old = K1.mul(acrossOf(slip.velocityChange, slip.spinChange)).add(stopping);
  const part = maxImpulse.div(max(norm(old), f32(1e-30)));
  const turn = stopping.add(old.mul(part.sub(1))).mul(0.5);
  const turns = dot(stopping.sub(old.mul(part)), old)
    .lt(0)
    .and(dot(turn, old).lt(0));
  const share = maxImpulse.div(norm(turn).add(select(turns, maxImpulse, f32(1))));
  const j = select(turns, stopping.sub(turn).mul(share), straight);
  return { velocity: rotate(q, j), spin: rotate(q, J.mul(cross(r, j))) };
}

/** Returns the matrix [r] of the cross product: [r] x is r times x. */
export const crossMatrix = ({ x, y, z }: Vec3): Mat33 => mat33(0, z.neg(), y, z, 0, x.neg(), y.neg(), x, 0);
