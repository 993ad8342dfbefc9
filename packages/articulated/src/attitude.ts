import type { F32, Vec3 } from '@gradsim/core';
import { cross, detach, Quat, rotate, vec3 } from '@gradsim/core';

/**
 * An orientation, constant in derivatives, and a rotation vector `turn` in world axes, which is exactly 0 and has its
 * derivative: derivatives of rotated vectors are then cross products, a third of those of quaternions.
 */
export interface Attitude {
  /** Orientation: quaternion, link to world. */
  readonly orientation: Quat;
  readonly turn: Vec3;
}

/** Returns exactly 0, with the derivative of a value. */
export const derivativeOf = (value: F32): F32 => value.sub(detach(value));
export const derivativesOf = (v: Vec3): Vec3 => vec3(derivativeOf(v.x), derivativeOf(v.y), derivativeOf(v.z));

type Turn = Pick<Attitude, 'turn'>;
/** Adds the derivative by rotation to a vector of the link, in world axes. */
export const addRotationDerivative = ({ turn }: Turn, v: Vec3): Vec3 => v.add(derivativesOf(cross(turn, detach(v))));
/** Takes the derivative by rotation from a vector in world axes: its derivative as the link sees it remains. */
export const removeRotationDerivative = ({ turn }: Turn, v: Vec3): Vec3 => v.sub(derivativesOf(cross(turn, detach(v))));

/** Returns a vector in world axes, given in the link's. */
export const toWorld = (attitude: Attitude, v: Vec3): Vec3 =>
  addRotationDerivative(attitude, rotate(attitude.orientation, v));

/** Returns the rotation vector of a unit quaternion's derivative, which is exactly 0, in the axes that it leads to. */
export const turnOf = (q: Quat): Vec3 => derivativesOf(q.mul(detach(q).conjugate()).vector.mul(2));

/** Returns the attitude after a further rotation, given in the axes of the first. */
export const rotateAttitude = ({ orientation, turn }: Attitude, q: Quat): Attitude => ({
  orientation: detach(orientation.mul(q)),
  turn: turn.add(rotate(orientation, turnOf(q))),
});

/** Returns an orientation that has its derivative itself: (1 + turn / 2) q. */
export function orientationOf({ orientation, turn }: Attitude): Quat {
  const rate = new Quat([...turn.mul(0.5).components, 0]).mul(detach(orientation));
  return orientation.add(new Quat(rate.components.map(derivativeOf)));
}
