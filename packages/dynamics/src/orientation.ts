import type { F32, FieldOf, Kernel, Vec3 } from '@gradsim/core';
import { column, f32, kernel, normalize, Quat, quat, sqrt } from '@gradsim/core';

/** The column `orientation`: a quaternion (x, y, z, w), from own axes to the parent's; see {@link unitOrientation}. */
export const orientation = column(quat, {
  default: [0, 0, 0, 1],
  range: {
    requirement: 'be a rotation; none is (0, 0, 0, 1)',
    isMet: (components) => components.some((c) => c !== 0),
  },
});

/** Normalises orientations, in phase `setup`. */
export const unitOrientation = (orientation: FieldOf<Quat>): Kernel =>
  kernel(
    `unitOrientation_${orientation.domain}`,
    { domain: orientation.domain, reads: { orientation }, writes: { orientation } },
    ({ orientation }) => ({ orientation: normalize(orientation) }),
  );

/**
 * Increment of an orientation of unit length by rotation at an angular velocity (rad/s, world axes) for some time:
 * normalize(q + time/2 (0, w) q) - q, without the cancellation of that difference.
 *
 * ```ts
 * const next = addCompensated(orientation, orientationCarry, rotationStep(orientation, angularVelocity, dt));
 * ```
 */
export function rotationStep(q: Quat, angularVelocity: Vec3, time: F32): Quat {
  const turn = new Quat([...angularVelocity.components, 0]).mul(q).scale(time.mul(0.5));
  const turned = q.add(turn);
  const scale = f32(1).div(length(turned));
  return turn.add(turned.scale(scale.sub(1)));
}

function length(q: Quat): F32 {
  return sqrt(q.components.map((c) => c.mul(c)).reduce((sum, term) => sum.add(term)));
}
