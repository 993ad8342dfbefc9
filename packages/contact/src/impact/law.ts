import type { F32, Mat33, Quat, Vec3 } from '@gradsim/core';
import { cross, dot, f32, inverse, mat33, max, min, norm, rotate, rotateInverse, select, sqrt } from '@gradsim/core';

/** Where a substep ends by the forces alone, as a half-space sees the sphere. */
export interface Approach {
  /** How deep the sphere is inside, m. */
  readonly depth: F32;
  /** Speed towards the half-space in the middle of the substep, m/s. */
  readonly speed: F32;
  /** The same of acceleration, m/s^2. */
  readonly acceleration: F32;
}

/** What an impact along the normal comes to. */
export interface Blow {
  /** Impulse over mass, away from the half-space, m/s. */
  readonly impulse: F32;
  /** What is left of the substep, s. */
  readonly left: F32;
  /** From the middle of the substep to the impact, s; 0 of a sphere at rest, which is touched all the time. */
  readonly since: F32;
  /** How far from the half-space the substep ends, m. */
  readonly height: F32;
}

/** Speed towards the half-space at the end of a substep: positions are those of whole substeps, velocities of half ones. */
export const endSpeed = ({ speed, acceleration }: Approach, dt: F32): F32 => speed.add(acceleration.mul(dt).mul(0.5));

/**
 * An impact within a substep, at the time at which it happens. With W the speed at the substep's end, had nothing been in the
 * way, A the acceleration and d the depth, all inwards, the surface was met at w = sqrt(W^2 - 2 A d), left = 2 d / (W + w)
 * before the end. From there it goes up with e w, and so ends e w left - A left^2 / 2 high: the parabola of the continuous
 * motion, exact under constant forces and of second order in dt under others.
 *
 * Whose hop would end within the substep comes to rest: on the surface, with what was left of its speed taken away. So
 * ever smaller hops end after a finite time, as they do, and at rest weight is taken up in every substep.
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

/** A sphere that slips on a half-space. */
export interface Slip {
  readonly normal: Vec3;
  readonly radius: F32;
  /** Of its centre and about it, m/s and rad/s. */
  readonly velocity: Vec3;
  readonly angularVelocity: Vec3;
  readonly orientation: Quat;
  /** The inverse of inertia over mass in body axes, 1/m^2. */
  readonly inverseGyration: Mat33;
}

/**
 * Friction of an impact, as an impulse over mass j across the normal at the lowest point r = -radius n, and what it does to the
 * spin. Source: Coulomb's law for rigid impacts, with |j| at most `most`, mu times the impulse along the normal, and at most
 * what stops the slip u = v + w x r (across n): K j = -u, K = 1 - [r] J [r], J the inverse of inertia over mass.
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
