import type { F32, Operand, Vec3 } from '@gradsim/core';
import { dot, f32, max, norm, select, vec3, when } from '@gradsim/core';
import type { PointsThatTouch } from '@gradsim/physics';
import type { Material } from './material.ts';

/**
 * Constant term of s, the weight of damping and of sticking friction, in the first substep of a contact: s = 1/2 + C /
 * moved, dimensionless.
 */
const ONSET = 0.5;

/**
 * Offset of s, the weight of damping and of sticking friction, in the first substep of a contact. Implicit steps
 * evaluate forces at the end of a substep, for the time up to there: contact has lasted for C / moved of it, and s = C
 * / moved. (With 1/2 more, the equation of a step would have no solution where the force at the very beginning prevents
 * the contact.)
 */
export const onsetOf = ({ isAtEnd = false }: Pick<PointsThatTouch, 'isAtEnd'>): number => (isAtEnd ? 0 : ONSET);

/**
 * The force on a touching point. Source: compliant contact with a Coulomb cone, regularised linearly through zero: f_n
 * = max(0, ke C - s kd v_n), f_t = -u min(s kf, mu f_n / |u|), with the penetration C, the normal velocity v_n (away
 * from the surface) and the slip velocity u. One function for all that touches: particles, vertices and spheres of
 * bodies, surfaces with each other.
 *
 * s = 1, but in the first substep of a touch, 0 < C < moved = -v_n dt, s = 1/2 + C / moved: the beginning of a touch is
 * counted in parts. Damping and friction that holds set in at full strength, so without this the bounce would jump
 * whenever a parameter moves its beginning by a substep, and derivatives, which see no jumps, would be wrong by a part
 * that does not vanish with dt. A substep's force stands for the time from half a substep before its state to half a
 * substep after (so it is in semi-implicit Euler, which is leapfrog); the first stands for all since the touch began, C
 * / moved substeps before. Whether it is the first follows from the state alone, since x = x_before + dt v: the point
 * was outside before where it is less deep than it moved.
 *
 * @param penetration thickness minus signed distance, m; no force where it is not above 0.
 * @param normal unit vector away from the surface.
 * @param velocity of the point relative to the surface, m/s: that which led to this penetration.
 * @param dt the substep, s.
 * @param onset s of a touch that has only just begun: see {@link onsetOf}.
 */
export function contactForce(
  penetration: F32,
  normal: Vec3,
  velocity: Vec3,
  { ke, kd, kf, mu }: Material,
  dt: F32,
  onset: Operand = ONSET,
): Vec3 {
  return when(
    penetration.gt(0),
    () => {
      const vn = dot(normal, velocity);
      const depthRate = penetration.mul(f32(1).div(dt));
      // C < moved
      const isFirst = depthRate.lt(vn.neg());
      // Equals (onset + C / moved) v_n, without a quotient of two numbers that may both be small.
      const sharedVn = select(isFirst, vn.mul(onset).sub(depthRate), vn);
      // s; the quotient is between 0 and 1 where it is used.
      const share = select(isFirst, depthRate.div(select(isFirst, vn.neg(), f32(1))).add(onset), f32(1));
      const fn = max(f32(0), ke.mul(penetration).sub(kd.mul(sharedVn)));
      const slip = velocity.sub(normal.mul(vn));
      const speed = norm(slip);
      const limit = mu.mul(fn);
      const holding = kf.mul(share);
      const isSticking = holding.mul(speed).le(limit);
      // While the point slides its speed is above 0; otherwise the quotient is not used.
      const friction = select(isSticking, holding, limit.div(select(isSticking, f32(1), speed)));
      return normal.mul(fn).sub(slip.mul(friction));
    },
    () => vec3(0, 0, 0),
  );
}
