import type { F32, Mat33, Vec3 } from '@gradsim/core';
import { cross, dot, f32, identity, inverse, matFromColumns, vec3 } from '@gradsim/core';

/**
 * Newton steps of a free spin. At half a radian a substep the energy is then kept to 1e-12 for any moments of inertia, at one
 * and a half to 3e-5 where the moments are 1 : 1000, and to rounding where they are 1 : 6.
 */
const NEWTON_STEPS = 3;

/** Free rotation of a body over a substep, in its own axes at the start. */
export interface FreeSpin {
  /** Axis of the rotation, as long as the tangent of half its angle: that of the quaternion normalize(half, 1). */
  readonly halfRotation: Vec3;
  /** Change of the angular velocity in body axes, rad/s. */
  readonly change: Vec3;
}

/**
 * Rotates a body without torque by the implicit midpoint rule, which keeps energy and angular momentum, however long the
 * substep. With the mean m = (w + w') / 2 of the angular velocities, in body axes,
 *
 *   I (w' - w) + 2 a x I m = 0,   a = m tan(dt |w| / 2) / |w|,   q' = normalize(q (a, 1)).
 *
 * As I w' is I w in axes turned by a, I w in the world is kept whatever m is; and the energy, as w' - w does no work along m.
 * The tangent makes the angle of a steady spin dt |w|; with dt / 2 in its place it would be short by (dt |w|)^2 / 12. The
 * derivative is that of the Newton steps that find m.
 *
 * @param w angular velocity, rad/s, and `inertia`, of any unit, with its inverse, all in body axes.
 */
export function spinFreely(w: Vec3, inertia: Mat33, inverseInertia: Mat33, dt: F32): FreeSpin {
  const square = dot(w, w).mul(dt).mul(dt);
  // The series of tan(x / 2) / x, right to 1e-4 at a radian and 1e-12 at a tenth of one.
  const series = [1 / 2, 1 / 24, 1 / 240, 17 / 40_320];
  const factor = series.reduceRight<F32>((sum, term) => sum.mul(square).add(term), f32(0)).mul(dt);
  const axes = [vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)];
  let rise = vec3(0, 0, 0);
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const mean = w.add(rise);
    const momentum = inertia.mul(mean);
    const residual = rise.add(inverseInertia.mul(cross(mean, momentum)).mul(factor));
    const columns = axes.map((axis, k) => cross(mean, inertia.column(k)).sub(cross(momentum, axis)));
    const slope = identity(3).add(inverseInertia.mul(matFromColumns(columns)).mul(factor));
    rise = rise.sub(inverse(slope).mul(residual));
  }
  const half = w.add(rise).mul(factor);
  return { halfRotation: half, change: inverseInertia.mul(rotationChange(half.neg(), inertia.mul(w))) };
}

/** Returns C v - v, with C the rotation of the quaternion normalize(half, 1), without the cancellation of that difference. */
export function rotationChange(half: Vec3, v: Vec3): Vec3 {
  const once = cross(half, v);
  return once.add(cross(half, once)).mul(f32(2).div(dot(half, half).add(1)));
}
