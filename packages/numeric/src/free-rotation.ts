import { conjugate, multiplyQuaternions, type Quaternion, rotate, rotationAbout } from './quaternion.ts';
import type { Vector } from './vector.ts';

/** Orientation of a body, from its axes to the world's, and its angular velocity in world axes, rad/s. */
export interface Rotation {
  readonly orientation: ArrayLike<number>;
  readonly angularVelocity: ArrayLike<number>;
}

/**
 * Rotation without torque for some seconds, forwards or backwards: the angular momentum stays as it is in the world. By the
 * midpoint rule, of second order in the step.
 *
 * @param moments of inertia about the body's axes, in any unit: only their ratios matter.
 * @param longestStep in seconds.
 */
export function freeRotation(
  { orientation, angularVelocity }: Rotation,
  seconds: number,
  moments: ArrayLike<number>,
  longestStep: number,
): { orientation: Quaternion; angularVelocity: Vector } {
  const inBody = rotate(conjugate(orientation), angularVelocity);
  const momentum = rotate(orientation, [inBody[0] * moments[0], inBody[1] * moments[1], inBody[2] * moments[2]]);
  const velocityAt = (q: ArrayLike<number>): Vector => {
    const own = rotate(conjugate(q), momentum);
    return rotate(q, [own[0] / moments[0], own[1] / moments[1], own[2] / moments[2]]);
  };
  const steps = Math.max(1, Math.ceil(Math.abs(seconds) / longestStep));
  const h = seconds / steps;
  let q: Quaternion = [orientation[0], orientation[1], orientation[2], orientation[3]];
  for (let step = 0; step < steps; step++) {
    const middle = multiplyQuaternions(rotationAbout(velocityAt(q), h / 2), q);
    q = multiplyQuaternions(rotationAbout(velocityAt(middle), h), q);
  }
  return { orientation: q, angularVelocity: velocityAt(q) };
}
