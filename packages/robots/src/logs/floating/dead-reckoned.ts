import {
  add,
  conjugate,
  multiplyQuaternions,
  norm,
  type Quaternion,
  rotate,
  scale,
  subtract,
  type Vector,
} from '@gradsim/base';
import { type Pose, rotationAboutAxis } from '../../pose.ts';
import type { BasePoses, InertialReadings } from '../reading/base-columns.ts';

/** Weights of the samples around an interval, two on either side, in the integral of the cubic through them. */
const ONCE = [-1 / 24, 13 / 24, 13 / 24, -1 / 24];
/** The same in its integral from the beginning of the interval, integrated once more. */
const TWICE = [-8 / 360, 129 / 360, 66 / 360, -7 / 360];

/**
 * Poses of a base by dead reckoning, from an attitude, a place and a rate that are not known and count as 0. They need not be: of
 * the place and the attitude of a base that nothing touches, torques and momentum depend by its acceleration less gravity alone,
 * which is what is measured.
 * @param place of the inertial unit in the base's axes.
 * @param gravity that is taken from the accelerations where torques are computed, m/s^2.
 */
export function deadReckoned(
  { rates, accelerations }: InertialReadings,
  time: readonly number[],
  place: Pose,
  gravity: Vector,
): BasePoses {
  const last = time.length - 1;
  const vectorAt = (of: readonly (readonly number[])[], s: number): Vector => [of[0][s], of[1][s], of[2][s]];
  /** Weighted sum of samples around the interval that begins at one. */
  const around = (of: (s: number) => Vector, s: number, weights: readonly number[]): Vector =>
    weights.reduce<Vector>(
      (sum, weight, k) => add(sum, scale(of(Math.min(Math.max(s + k - 1, 0), last)), weight)),
      [0, 0, 0],
    );
  const steps = time.slice(1).map((t, s) => t - time[s]);
  const turns: Quaternion[] = [place.orientation];
  for (const [s, step] of steps.entries()) {
    const turn = scale(
      around((k) => vectorAt(rates, k), s, ONCE),
      step,
    );
    const angle = norm(turn);
    turns.push(angle > 0 ? multiplyQuaternions(turns[s], rotationAboutAxis(scale(turn, 1 / angle), angle)) : turns[s]);
  }
  const ofWorld = turns.map((turn, s) => add(rotate(turn, vectorAt(accelerations, s)), gravity));
  let velocity: Vector = [0, 0, 0];
  const places: Vector[] = [place.position];
  for (const [s, step] of steps.entries()) {
    const moved = around((k) => ofWorld[k], s, TWICE);
    places.push(add(places[s], add(scale(velocity, step), scale(moved, step ** 2))));
    velocity = add(
      velocity,
      scale(
        around((k) => ofWorld[k], s, ONCE),
        step,
      ),
    );
  }
  const orientations = turns.map((turn) => multiplyQuaternions(turn, conjugate(place.orientation)));
  const positions = places.map((at, s) => subtract(at, rotate(orientations[s], place.position)));
  return {
    position: [0, 1, 2].map((k) => positions.map((at) => at[k])),
    orientation: [0, 1, 2, 3].map((k) => orientations.map((turn) => turn[k])),
  };
}
