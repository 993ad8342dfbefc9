import { GradsimError } from '@gradsim/core';
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

/** The poses of one body at equal time steps. */
export interface Poses {
  /** Name of the body or the recording. */
  readonly name: string;
  /** Number of frames per second. */
  readonly frameRate: number;
  /** Poses from frame 0 on; null for a frame without a pose. */
  readonly poses: readonly (Pose | null)[];
  /** Decisions on reading a table, for people: `time in ms; x y z in mm; 148 frames a second`. */
  readonly read?: string;
}

/** @throws where poses are missing or malformed, or hold something that is not a finite number. */
export function checkPoses({ name, frameRate, poses }: Poses): void {
  if (!(frameRate > 0 && Number.isFinite(frameRate)))
    throw new GradsimError('poses/option-out-of-range', `${name}: the frame rate is ${frameRate}.`, {
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
