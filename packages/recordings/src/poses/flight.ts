import { freeRotation, median, multiplyQuaternions, normalizeQuaternion, rotationAbout } from '@gradsim/base';
import { GradsimError, refuseUnknownOptions, timeOfFrame } from '@gradsim/core';
import { rotationBetween } from '@gradsim/optim';
import { refuseOtherFall } from './other-fall.ts';
import type { Pose, Poses, Quaternion, Vector } from './poses.ts';
import { checkPoses } from './poses.ts';

/** Options of {@link startOfFreeFlight}. */
export interface FreeFlightOptions {
  /** Gravitational acceleration, m/s^2, world axes. Default [0, -9.81, 0]. */
  readonly gravity?: Vector;
  /** Moments of inertia about the body's axes, in any unit: only their ratios matter. Default: all equal. */
  readonly inertia?: Vector;
  /** First frame of the flight. Default the first that has a pose. */
  readonly first?: number;
  /** Frame after the last of the flight. Default: detected, where the motion departs from a free flight. */
  readonly end?: number;
}

/** A free flight fitted to measured poses. Angular velocities are in world axes, as in simulations. */
export interface FreeFlight extends Pose {
  /** Frame of the recording that the fitted state belongs to: the first of the flight. */
  readonly frame: number;
  /** Frame after the last of the flight; null if it lasts to the end of the recording. */
  readonly contact: number | null;
  readonly velocity: Vector;
  readonly angularVelocity: Vector;
  /** Standard deviations of the fitted state, estimated from the scatter of the poses; the same along all axes. */
  readonly deviations: {
    readonly position: number;
    readonly velocity: number;
    readonly orientation: number;
    readonly angularVelocity: number;
  };
  /** Root mean square residuals: of positions, m, and of orientations as angles, rad. */
  readonly residual: { readonly position: number; readonly orientation: number };
}

type State = Omit<FreeFlight, 'frame' | 'contact'>;

/** Minimum number of poses of a flight: fewer fit any flight. */
const MIN_POSES = 4;
/**
 * Residual of a pose, in multiples of the scatter of the earlier poses, above which it no longer belongs to the flight.
 */
const MAX_RESIDUAL_RATIO = 6;
/**
 * Minimum change of velocity that counts as a contact, m/s and rad/s: smaller changes are scatter of a smoothed
 * recording.
 */
const CONTACT_VELOCITY_CHANGE = { position: 0.1, orientation: 1 } as const;
/** Number of iterations of the fit of orientation and angular velocity. */
const FIT_ITERATIONS = 6;

/**
 * Estimates the state at the beginning of a recording from the frames before the first contact: fits a parabola and a
 * torque-free rotation by least squares. The flight ends at the first pose that a fit to the earlier poses does not
 * predict.
 *
 * ```ts
 * const start = startOfFreeFlight(poses, { gravity: [0, 0, -9.81] });
 * console.log(start.velocity, start.angularVelocity, start.contact);
 * ```
 * @throws for fewer than 4 poses before the first contact.
 */
export function startOfFreeFlight(poses: Poses, options: FreeFlightOptions = {}): FreeFlight {
  refuseUnknownOptions<FreeFlightOptions>('startOfFreeFlight', options, {
    gravity: 0,
    inertia: 0,
    first: 0,
    end: 0,
  });
  checkPoses(poses);
  const { gravity = [0, -9.81, 0], inertia = [1, 1, 1] } = options;
  if (inertia.length !== 3 || !inertia.every((i) => i > 0))
    throw new GradsimError('poses/option-out-of-range', `startOfFreeFlight: inertia is (${inertia.join(', ')}).`, {
      field: 'inertia',
      hint: 'Give three numbers above 0.',
    });
  const first = options.first ?? poses.poses.findIndex((pose) => pose !== null);
  const seen = poses.poses.flatMap((pose, frame): FramePose[] =>
    pose && frame >= first && frame < (options.end ?? Number.POSITIVE_INFINITY) ? [{ frame, pose }] : [],
  );
  if (seen.length < MIN_POSES)
    throw new GradsimError(
      'poses/too-few-poses',
      `${poses.name}: a free flight is found from ${MIN_POSES} poses or more, and there are ${seen.length} from frame ${Math.max(first, 0)} on.`,
    );
  const start = timeOfFrame(poses, seen[0].frame);
  const step = median(
    seen.slice(1).map(({ frame }, k) => timeOfFrame(poses, frame) - timeOfFrame(poses, seen[k].frame)),
  );
  const known = {
    gravity,
    inertia,
    first: seen[0].frame,
    step,
    since: (frame: number) => timeOfFrame(poses, frame) - start,
  };
  refuseOtherFall(
    poses.name,
    seen.map((own) => ({ time: timeOf(own, known), position: own.pose.position })),
    gravity,
  );
  if (options.end !== undefined) return { ...fitFlight(seen, known), frame: known.first, contact: options.end };
  let count = MIN_POSES;
  while (count < seen.length && predictsNextPoses(fitFlight(seen.slice(0, count), known), seen.slice(count), known))
    count++;
  const isWhole = count === seen.length;
  // The last of them may be after the contact's beginning, with an error too small to detect.
  const own = isWhole ? seen : seen.slice(0, Math.max(MIN_POSES, count - 1));
  return { ...fitFlight(own, known), frame: known.first, contact: isWhole ? null : seen[count].frame };
}

interface FramePose {
  readonly frame: number;
  readonly pose: Pose;
}
interface FlightConstants {
  readonly gravity: Vector;
  readonly inertia: Vector;
  readonly first: number;
  /** Returns the time of a frame from that of the first, s. */
  readonly since: (frame: number) => number;
  /** Usual time from one pose to the next, s. */
  readonly step: number;
}

const timeOf = ({ frame }: FramePose, { since }: Pick<FlightConstants, 'since'>): number => since(frame);

/**
 * Returns whether a flight predicts the next pose or the one after, within the scatter of the fit and the smallest
 * change that counts as a contact.
 */
function predictsNextPoses(state: State, [next, then]: readonly FramePose[], known: FlightConstants): boolean {
  return isNear(state, next, known) || (then !== undefined && isNear(state, then, known));
}

function isNear(state: State, seen: FramePose, known: FlightConstants): boolean {
  const [{ position, orientation }] = flightResiduals(state, [seen], known);
  const near = (off: number[], residual: number, touch: number): boolean =>
    Math.hypot(...off) <= Math.max(MAX_RESIDUAL_RATIO * residual, touch * known.step);
  return (
    near(position, state.residual.position, CONTACT_VELOCITY_CHANGE.position) &&
    near(orientation, state.residual.orientation, CONTACT_VELOCITY_CHANGE.orientation)
  );
}

/** Returns the residuals of poses from a flight, in the order of their frames. */
function flightResiduals(
  {
    position,
    velocity,
    orientation,
    angularVelocity,
  }: Pick<State, 'position' | 'velocity' | 'orientation' | 'angularVelocity'>,
  seen: readonly FramePose[],
  known: FlightConstants,
): { position: number[]; orientation: number[] }[] {
  const times = seen.map((one) => timeOf(one, known));
  const turns = spinFreely(orientation, angularVelocity, times, known.inertia);
  return seen.map(({ pose }, f) => ({
    position: pose.position.map(
      (p, k) => p - position[k] - velocity[k] * times[f] - (known.gravity[k] * times[f] ** 2) / 2,
    ),
    orientation: rotationBetween(turns[f], pose.orientation),
  }));
}

function fitFlight(seen: readonly FramePose[], known: FlightConstants): State {
  const times = seen.map((s) => timeOf(s, known));
  const pose = seen[0].pose;
  let state = {
    position: pose.position,
    velocity: [0, 0, 0],
    orientation: pose.orientation,
    angularVelocity: rotationBetween(pose.orientation, seen[1].pose.orientation).map((a) => a / times[1]),
  };
  // The residual rotation is fitted by a constant and a rate: exact for equal moments of inertia, and approximate
  // otherwise.
  for (let round = 0; round < FIT_ITERATIONS; round++) {
    const off = flightResiduals(state, seen, known);
    const [place, turn] = [
      lineThrough(
        times,
        off.map((o) => o.position),
      ),
      lineThrough(
        times,
        off.map((o) => o.orientation),
      ),
    ];
    state = {
      position: state.position.map((c, k) => c + place.at0[k]),
      velocity: state.velocity.map((c, k) => c + place.slope[k]),
      orientation: rotateOrientation(state.orientation, turn.at0),
      angularVelocity: state.angularVelocity.map((c, k) => c + turn.slope[k]),
    };
  }
  const off = flightResiduals(state, seen, known);
  const rms = (all: readonly number[][]): number =>
    Math.sqrt(all.reduce((sum, o) => sum + Math.hypot(...o) ** 2, 0) / all.length);
  const residual = {
    position: rms(off.map((o) => o.position)),
    orientation: rms(off.map((o) => o.orientation)),
  };
  // Scatter of one component, corrected for the two fitted numbers.
  const scatter = (of: number): number => of * Math.sqrt(seen.length / (3 * Math.max(1, seen.length - 2)));
  const { level, rate } = leverage(times);
  const [place, turn] = [scatter(residual.position), scatter(residual.orientation)];
  return {
    ...state,
    residual,
    deviations: {
      position: place * level,
      velocity: place * rate,
      orientation: turn * level,
      angularVelocity: turn * rate,
    },
  };
}

/** Fits a straight line to each component of vectors over time, by least squares. */
function lineThrough(times: readonly number[], of: readonly number[][]): { at0: number[]; slope: number[] } {
  const mean = times.reduce((sum, t) => sum + t, 0) / times.length;
  const spread = times.reduce((sum, t) => sum + (t - mean) ** 2, 0);
  const slope = of[0].map((_, k) => times.reduce((sum, t, f) => sum + (t - mean) * of[f][k], 0) / spread);
  return {
    slope,
    at0: of[0].map((_, k) => of.reduce((sum, v) => sum + v[k], 0) / of.length - slope[k] * mean),
  };
}

/**
 * Returns the standard deviations of a fitted line's value at time 0 and of its slope, if the values have standard
 * deviation 1.
 */
function leverage(times: readonly number[]): { level: number; rate: number } {
  const mean = times.reduce((sum, t) => sum + t, 0) / times.length;
  const spread = times.reduce((sum, t) => sum + (t - mean) ** 2, 0);
  return { level: Math.sqrt(1 / times.length + mean ** 2 / spread), rate: Math.sqrt(1 / spread) };
}

/**
 * Returns the orientations of a freely rotating body at ascending times; in closed form if its moments of inertia are
 * equal.
 */
function spinFreely(q: Quaternion, angularVelocity: Vector, times: readonly number[], inertia: Vector): Quaternion[] {
  if (inertia.every((i) => i === inertia[0]))
    return times.map((t) =>
      rotateOrientation(
        q,
        angularVelocity.map((w) => w * t),
      ),
    );
  let [rotation, now] = [{ orientation: normalizeQuaternion(q), angularVelocity }, 0];
  return times.map((time) => {
    rotation = freeRotation(rotation, time - now, inertia);
    now = time;
    return rotation.orientation;
  });
}

/** Rotates an orientation by a rotation vector in world axes. */
const rotateOrientation = (q: Quaternion, vector: Vector): Quaternion => multiplyQuaternions(rotationAbout(vector), q);
