import type { FrameClock } from '@gradsim/core';
import { describeValue, GradsimError, timeOfFrame } from '@gradsim/core';

/** A vector: x, y, z. */
export type Vector = readonly number[];
/** A quaternion (x, y, z, w), from body axes to world axes. */
export type Quaternion = readonly number[];

/** Position and orientation of a body. */
export interface Pose {
  /** Position of the centre of mass, m, world axes. */
  readonly position: Vector;
  readonly orientation: Quaternion;
}

/** The poses of one body in frames: so many a second (`frameRate`), or each at its own time (`frameTimes`). */
export interface Poses extends FrameClock {
  /** Name of the body or the recording. */
  readonly name: string;
  /** Poses from frame 0 on; null for a frame without a pose. */
  readonly poses: readonly (Pose | null)[];
  /** Decisions on reading a table, for people: `time in ms; x y z in mm; 148 frames a second`. */
  readonly readingNotes?: string;
}

/** @throws where poses are missing or malformed, or hold something that is not a finite number. */
export function checkPoses({ name, frameRate, frameTimes, poses }: Poses): void {
  if (frameTimes) checkTimes(name, frameTimes, poses.length);
  else if (!(frameRate !== undefined && frameRate > 0 && Number.isFinite(frameRate)))
    throw new GradsimError('poses/option-out-of-range', `${name}: the frame rate is ${describeValue(frameRate)}.`, {
      hint: 'It must be a number above 0.',
    });
  poses.forEach((pose, frame) => {
    if (pose === null) return;
    const { position, orientation } = pose;
    if (position.length !== 3 || !position.every(Number.isFinite))
      throw new GradsimError(
        'poses/pose-not-finite',
        `${name}: the position of frame ${frame} is (${position.join(', ')}).`,
        { hint: 'Give three finite numbers.' },
      );
    const length = Math.hypot(...orientation);
    if (orientation.length !== 4 || !(length > 0 && Number.isFinite(length)))
      throw new GradsimError(
        'poses/no-orientation',
        `${name}: the orientation of frame ${frame} is (${orientation.join(', ')}).`,
        { hint: 'Give a quaternion, four numbers that are not all 0.' },
      );
  });
}

function checkTimes(name: string, times: readonly number[], count: number): void {
  if (times.length === count && times.every((time, k) => Number.isFinite(time) && !(time <= times[k - 1]))) return;
  throw new GradsimError('poses/option-out-of-range', `${name}: frameTimes are not ${count} times that ascend.`, {
    hint: 'Give a time in s for each frame.',
  });
}

/**
 * Frames of poses from one on, for a problem or a simulation that begins there: their number, and their rate or times.
 *
 * ```ts
 * const problem = { model, ...timelineOf(poses, flight.frame), substeps: 20, parameters, observations };
 * ```
 */
export function timelineOf(poses: Poses, first = 0): FrameClock & { readonly frames: number } {
  const { frameRate, frameTimes } = poses;
  const frames = poses.poses.length - first;
  if (!frameTimes) return { frames, frameRate };
  const start = timeOfFrame(poses, first);
  return { frames, frameTimes: frameTimes.slice(first).map((time) => time - start) };
}
