import type { F32, Mat33, Vec3 } from '@gradsim/core';
import { cross, dot, f32, inverse, mat33, max, norm, select } from '@gradsim/core';
import { crossMatrix } from './law.ts';

/** Collision of a body's corner with a half-space, in body axes. */
export interface CornerMeeting {
  /** Position of the corner from the centre of mass, m. */
  readonly corner: Vec3;
  /** Outward unit normal of the half-space. */
  readonly normal: Vec3;
  /** Velocity of the body's centre, m/s, and its angular velocity, rad/s. */
  readonly velocity: Vec3;
  readonly angularVelocity: Vec3;
  /** Inverse of the inertia over mass, 3 x 3, 1/m^2. */
  readonly inverseGyration: Mat33;
  readonly restitution: F32;
  readonly mu: F32;
}

/**
 * Lower bound for K along an impulse (change of velocity per impulse over mass, dimensionless), which is a divisor.
 * Solids do not have smaller values.
 */
const MIN_COMPLIANCE = 0.1;

/**
 * Returns the change of velocity (m/s) and spin (rad/s) in an impact at a corner r, on which an impulse over mass j
 * acts. Source: rigid impacts by Newton's restitution and Coulomb's law of impulses (E. T. Whittaker, Analytical
 * Dynamics, 1904, 95). With u = v + w x r the velocity of the corner and n the normal away from the surface, j changes
 * u by K j, K = 1 - [r] J [r], J the inverse of inertia over mass. A sticking corner has no slip afterwards: K j = -(u
 * - (n.u) n) - (1 + e) (n.u) n. If that takes more friction than mu times the part of j along n, the corner slides: j =
 * p (n - mu t), t the direction of slip, and n.K j = -(1 + e) n.u.
 */
export function cornerImpulse(meeting: CornerMeeting): { readonly velocity: Vec3; readonly spin: Vec3 } {
  const { corner: r, normal: n, angularVelocity, inverseGyration: J, restitution, mu } = meeting;
  const u = meeting.velocity.add(cross(angularVelocity, r));
  const along = dot(n, u);
  const slip = u.sub(n.mul(along));
  const gained = restitution.add(1).mul(along).neg();
  const R = crossMatrix(r);
  const K = mat33(1, 0, 0, 0, 1, 0, 0, 0, 1).sub(R.mul(J).mul(R));
  const sticking = inverse(K).mul(n.mul(gained).sub(slip));
  const pressed = dot(n, sticking);
  const needed = norm(sticking.sub(n.mul(pressed)));
  const sticks = pressed.gt(0).and(needed.le(mu.mul(pressed)));
  const speed = norm(slip);
  // A sliding corner has nonzero slip, except where the normal impulse alone would pull: then the direction is
  // irrelevant.
  const direction = slip.mul(mu.div(max(speed, f32(1e-9))));
  const way = n.sub(direction);
  const sliding = way.mul(gained.div(max(dot(n, K.mul(way)), f32(MIN_COMPLIANCE))));
  const j = select(sticks, sticking, sliding);
  return { velocity: j, spin: J.mul(cross(r, j)) };
}
