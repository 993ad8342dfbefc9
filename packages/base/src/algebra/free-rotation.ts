import { conjugate, normalizeQuaternion, type Quaternion, rotate } from './quaternion.ts';
import type { Vector } from './vector.ts';

/**
 * Orientation quaternion of a body, which rotates body axes to world axes, and its angular velocity in world axes,
 * rad/s.
 */
export interface RotationState {
  readonly orientation: ArrayLike<number>;
  readonly angularVelocity: ArrayLike<number>;
}

/** Maximum angle of a step of {@link freeRotation}, rad, and number of steps: what a search tries may turn as fast as no body. */
const [MAX_ANGLE, MAX_STEPS] = [0.1, 100] as const;

/**
 * Rotation of a rigid body without torque for some seconds, backwards if negative: its angular momentum in the world
 * stays constant. Integrated by the method of Runge and Kutta, with errors below 3e-6 rad for each rad that a box turns.
 *
 * @param moments principal moments of inertia about the body's axes, in any unit: only their ratios matter.
 */
export function freeRotation(
  { orientation, angularVelocity }: RotationState,
  seconds: number,
  moments: ArrayLike<number>,
): { orientation: Quaternion; angularVelocity: Vector } {
  const own = rotate(conjugate(orientation), angularVelocity);
  const momentum = rotate(orientation, [own[0] * moments[0], own[1] * moments[1], own[2] * moments[2]]);
  const angle = Math.abs(seconds) * greatestSpin(own, moments);
  const steps = Math.min(Math.max(1, Math.ceil(angle / MAX_ANGLE)), MAX_STEPS);
  const h = seconds / steps;
  let q = [orientation[0], orientation[1], orientation[2], orientation[3]];
  let sum = [0, 0, 0, 0];
  const at = [0, 0, 0, 0];
  const rate = [0, 0, 0, 0];
  for (let step = 0; step < steps; step++) {
    writeRate(q, momentum, moments, rate);
    writeMoved(q, rate, h / 6, sum);
    for (let stage = 0; stage < 3; stage++) {
      writeMoved(q, rate, stage < 2 ? h / 2 : h, at);
      writeRate(at, momentum, moments, rate);
      writeMoved(sum, rate, stage < 2 ? h / 3 : h / 6, sum);
    }
    [q, sum] = [sum, q];
  }
  const turned = normalizeQuaternion(q);
  const [x, y, z] = rotate(conjugate(turned), momentum);
  return {
    orientation: turned,
    angularVelocity: rotate(turned, [x / moments[0], y / moments[1], z / moments[2]]),
  };
}

/**
 * Bound of the angular speed of a body that turns freely, rad/s: its energy is constant.
 *
 * @param own angular velocity in the body's axes, rad/s.
 * @param moments as of {@link freeRotation}.
 */
export function greatestSpin(own: ArrayLike<number>, moments: ArrayLike<number>): number {
  const energy = own[0] ** 2 * moments[0] + own[1] ** 2 * moments[1] + own[2] ** 2 * moments[2];
  return Math.sqrt(energy / Math.min(moments[0], moments[1], moments[2]));
}

/**
 * Derivative of an orientation with respect to time: half its product with the angular velocity in body axes. It writes, since
 * small arrays would take most of the time.
 */
function writeRate(q: readonly number[], momentum: Vector, moments: ArrayLike<number>, rate: number[]): void {
  const [x, y, z, w] = q;
  const [a, b, c] = momentum;
  const own = w * w - x * x - y * y - z * z;
  const along = 2 * (x * a + y * b + z * c);
  const u = (own * a + along * x - 2 * w * (y * c - z * b)) / (2 * moments[0]);
  const v = (own * b + along * y - 2 * w * (z * a - x * c)) / (2 * moments[1]);
  const s = (own * c + along * z - 2 * w * (x * b - y * a)) / (2 * moments[2]);
  rate[0] = w * u + y * s - z * v;
  rate[1] = w * v + z * u - x * s;
  rate[2] = w * s + x * v - y * u;
  rate[3] = -x * u - y * v - z * s;
}

function writeMoved(q: readonly number[], rate: readonly number[], seconds: number, moved: number[]): void {
  for (let k = 0; k < 4; k++) moved[k] = q[k] + seconds * rate[k];
}
