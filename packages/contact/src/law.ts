import type { F32, Operand, Vec3 } from '@gradsim/core';
import { dot, f32, max, norm, select, vec3, when } from '@gradsim/core';
import type { PointsThatTouch } from '@gradsim/physics';
import type { Material } from './material.ts';

/**
 * Constant term of the weight s of damping and sticking friction in the first substep of a contact: s = 1/2 + C /
 * moved, dimensionless, for steps that evaluate forces at the start of a substep. See {@link contactForce}.
 */
const ONSET = 0.5;

/**
 * Returns the constant term of s, the weight of damping and sticking friction in the first substep of a contact. It is
 * 0 for implicit steps, which evaluate forces at the end of a substep: contact has lasted for the fraction C / moved of
 * the substep, which is s. (With 1/2 more, the equation of a step would have no solution where the force at the very
 * beginning prevents the contact.)
 */
export const onsetOf = ({ isAtEnd = false }: Pick<PointsThatTouch, 'isAtEnd'>): number => (isAtEnd ? 0 : ONSET);

/**
 * Returns the contact force on a point, N. Source: compliant contact with a Coulomb cone, regularised linearly through
 * zero: f_n = max(0, ke C - s kd v_n), f_t = -u min(s kf, mu f_n / |u|), with the penetration C, the normal velocity
 * v_n (away from the surface) and the slip velocity u. All contact uses this function: that of particles, of vertices
 * and spheres of bodies, and between surfaces.
 *
 * The weight s is 1, except in the first substep of a contact, where 0 < C < moved = -v_n dt: there s = 1/2 + C /
 * moved, which counts only the part of the time that the contact has lasted. Damping and sticking friction set in at
 * full strength, so without s the bounce would jump whenever a parameter moves the first contact to another substep,
 * and derivatives, which do not see jumps, would have an error that does not vanish with dt. In semi-implicit Euler
 * (leapfrog) the force of a substep acts from half a substep before its state to half a substep after it; the first one
 * acts from the beginning of the contact, C / moved substeps before its state. Whether a substep is the first follows
 * from the state alone, since x = x_before + dt v: the point was outside before if its penetration is smaller than its
 * last displacement.
 *
 * @param penetration thickness minus signed distance, m; no force unless it is above 0.
 * @param normal unit vector away from the surface.
 * @param velocity of the point relative to the surface, m/s, that moved it to this penetration.
 * @param dt the substep, s.
 * @param onset constant term of s in the first substep of a contact: see {@link onsetOf}.
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
