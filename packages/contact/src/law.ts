import type { F32, Vec3 } from '@gradsim/core';
import { dot, f32, norm, select, vec3, when } from '@gradsim/core';
import type { MotionToState } from '@gradsim/dynamics';
import { depthInside, mayPress, pressureOf } from '@gradsim/dynamics';
import type { Material } from './material.ts';

/**
 * Returns the contact force on a point, N. Source: compliant contact with a Coulomb cone, regularised linearly through
 * zero: pressure p = ke C - kd v_n, f_n = max(0, p), f_t = -u / |u| min(kf |u|, mu f_n), with the penetration C, the
 * normal velocity v_n (away from the surface) and the slip velocity u. All contact uses this function: that of
 * particles, of vertices and spheres of bodies, and between surfaces.
 *
 * The force is the mean of this law over the time that a substep's force stands for, along the straight motion that led
 * to the state (`pressureOf` of `@gradsim/dynamics`): derivatives are then those of the motion, wherever in a substep a
 * touch begins, ends, or slips. With p between p- and p+ over a span of L substeps, of which T have p > 0, friction is
 *
 *     f_t = -u (kf T - L e^2 / (2 mu (p+ - p-) |u|)),  e = max(0, kf |u| - mu max(0, p-)),
 *
 * where it holds at the greatest pressure: that of holding, less what is missing to it while the point slides. Where it
 * slides even there, mu p+ <= kf |u|, it is -u mu f_n / |u|. Written so, nothing cancels at small slip.
 *
 * @param penetration thickness minus signed distance, m; negative where a point that leaves is already outside.
 * @param normal unit vector away from the surface.
 * @param velocity of the point relative to the surface, m/s, that moved it to this penetration; or a function of it,
 *   which runs only where it matters.
 * @param lead the motion that led to this state: `motionToState` of `@gradsim/dynamics`.
 */
export function contactForce(
  penetration: F32,
  normal: Vec3,
  velocity: Vec3 | (() => Vec3),
  { ke, kd, kf, mu }: Material,
  lead: MotionToState,
): Vec3 {
  const none = (): Vec3 => vec3(0, 0, 0);
  return when(
    mayPress({ penetration, ke, kd }, lead),
    () => {
      const v = typeof velocity === 'function' ? velocity() : velocity;
      const leaving = dot(normal, v);
      const touch = { penetration, leaving, ke, kd };
      return when(
        depthInside(touch, lead).gt(0),
        () => {
          const {
            force: fn,
            smallest: least,
            largest: most,
            change,
            span,
            pressedShare: pressed,
          } = pressureOf(touch, lead);
          const slip = v.sub(normal.mul(leaving));
          const speed = norm(slip);
          const perSpeed = f32(1).div(select(speed.gt(0), speed, f32(1)));
          const holding = kf.mul(speed);
          // Without pressure or with mu = 0 nothing holds, at zero slip too.
          const holds = mu.mul(most).gt(holding);
          const missing = holding.sub(mu.mul(least));
          const isSlipping = holds.and(missing.gt(0));
          const part = missing.div(select(isSlipping, mu.mul(change), f32(1)));
          const lost = select(isSlipping, span.mul(part).mul(missing).mul(0.5), f32(0));
          const held = kf.mul(pressed).sub(lost.mul(perSpeed));
          // A point that slides has speed, unless nothing presses it.
          const sliding = mu.mul(fn).mul(perSpeed);
          return normal.mul(fn).sub(slip.mul(select(holds, held, sliding)));
        },
        none,
      );
    },
    none,
  );
}
