import type { F32, Mat33, Quat, Vec3 } from '@gradsim/core';
import { cross, dot, f32, inverse, mat33, max, min, norm, rotate, rotateInverse, select, sqrt } from '@gradsim/core';

/** State at the end of a substep without impact, relative to a half-space. */
export interface Approach {
  /** Penetration of the sphere, m. */
  readonly depth: F32;
  /** Speed towards the half-space in the middle of the substep, m/s. */
  readonly speed: F32;
  /** Acceleration towards the half-space, m/s^2. */
  readonly acceleration: F32;
}

/** Result of an impact along the normal. */
export interface Blow {
  /** Impulse over mass, away from the half-space, m/s. */
  readonly impulse: F32;
  /** Remaining time of the substep, s. */
  readonly left: F32;
  /** Time from the middle of the substep to the impact, s; 0 for a resting sphere, which is in contact all the time. */
  readonly since: F32;
  /** Distance from the half-space at the end of the substep, m. */
  readonly height: F32;
}

/** Speed towards the half-space at the end of a substep: positions are at whole substeps, velocities at half ones. */
export const endSpeed = ({ speed, acceleration }: Approach, dt: F32): F32 => speed.add(acceleration.mul(dt).mul(0.5));

/**
 * An impact within a substep, at its own time. With W the speed at the substep's end without the half-space, A the
 * acceleration and d the depth, all inwards, the surface was hit at w = sqrt(W^2 - 2 A d), left = 2 d / (W + w) before
 * the end. The body rebounds with e w, and ends at the height e w left - A left^2 / 2: the parabola of the continuous
 * motion, exact under constant forces and of second order in dt under others.
 *
 * If the hop would end within the substep, the body comes to rest on the surface, and its remaining speed is removed.
 * So ever smaller hops end after a finite time, as they do in reality, and at rest the weight is taken up in every
 * substep.
 */
export function blow(approach: Approach, restitution: F32, dt: F32): Blow {
  const { depth, speed, acceleration } = approach;
  const end = endSpeed(approach, dt);
  const w = sqrt(max(end.mul(end).sub(acceleration.mul(depth).mul(2)), f32(0)));
  const left = min(depth.mul(2).div(end.add(w)), dt);
  const up = restitution.mul(w);
  const fall = acceleration.mul(left);
  const rests = up.mul(2).lt(fall);
  return {
    impulse: select(rests, max(speed, f32(0)), up.add(w)),
    left,
    since: select(rests, f32(0), dt.mul(0.5).sub(left)),
    height: select(rests, f32(0), up.sub(fall.mul(0.5)).mul(left)),
  };
}

/** Slip of a sphere on a half-space. */
export interface Slip {
  readonly normal: Vec3;
  readonly radius: F32;
  /** Velocity of its centre, m/s, and its angular velocity, rad/s. */
  readonly velocity: Vec3;
  readonly angularVelocity: Vec3;
  readonly orientation: Quat;
  /** Inverse of inertia over mass in body axes, 1/m^2. */
  readonly inverseGyration: Mat33;
}

/**
 * Friction of an impact, as an impulse over mass j perpendicular to the normal at the lowest point r = -radius n, and
 * the change of spin. Source: Coulomb's law for rigid impacts, with |j| at most `most`, mu times the normal impulse,
 * and at most the one that stops the slip u = v + w x r (perpendicular to n): K j = -u, K = 1 - [r] J [r], J the
 * inverse of inertia over mass.
 */
export function frictionBlow(slip: Slip, most: F32): { readonly velocity: Vec3; readonly spin: Vec3 } {
  const { normal, radius, orientation: q, inverseGyration: J } = slip;
  const arm = normal.mul(radius.neg());
  const u = slip.velocity.add(cross(slip.angularVelocity, arm));
  const across = u.sub(normal.mul(dot(normal, u)));
  const r = rotateInverse(q, arm);
  const R = crossMatrix(r);
  const K = mat33(1, 0, 0, 0, 1, 0, 0, 0, 1).sub(R.mul(J).mul(R));
  const stopping = inverse(K).mul(rotateInverse(q, across)).mul(-1);
  const size = norm(stopping);
  const sticks = size.lt(most);
  const j = stopping.mul(select(sticks, f32(1), most.div(select(sticks, f32(1), max(size, f32(1e-12))))));
  return { velocity: rotate(q, j), spin: rotate(q, J.mul(cross(r, j))) };
}

/** [r] with [r] x = r x x. */
export const crossMatrix = ({ x, y, z }: Vec3): Mat33 => mat33(0, z.neg(), y, z, 0, x.neg(), y.neg(), x, 0);
