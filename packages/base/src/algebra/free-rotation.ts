import { conjugate, multiplyQuaternions, type Quaternion, rotate, rotationAbout } from './quaternion.ts';
import type { Vector } from './vector.ts';

/**
 * Orientation quaternion of a body, which rotates body axes to world axes, and its angular velocity in world axes,
 * rad/s.
 */
export interface RotationState {
  readonly orientation: ArrayLike<number>;
  readonly angularVelocity: ArrayLike<number>;
}

/**
 * Rotation of a rigid body without torque for some seconds, backwards if negative: its angular momentum in the world
 * stays constant. Integrated by the midpoint rule, of second order in the step.
 *
 * @param moments principal moments of inertia about the body's axes, in any unit: only their ratios matter.
 * @param longestStep maximum step of the integration, s.
 */
export function freeRotation(
  { orientation, angularVelocity }: RotationState,
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
