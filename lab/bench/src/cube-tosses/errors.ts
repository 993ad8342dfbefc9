import { rotationBetween } from '@gradsim/optim';
import type { Poses } from '@gradsim/recordings/poses';

/** Errors of a simulated motion compared with a recording. */
export interface PoseErrors {
  /** Root mean square, and mean, over frames of the distance between the centres, m. */
  readonly rms: number;
  readonly mean: number;
  /** Mean over frames of the angle between the orientations, degrees. */
  readonly angle: number;
}

/**
 * Compares a motion with a recording.
 *
 * @param first frame of the recording that corresponds to frame 0 of the motion.
 */
export function poseErrors(
  { poses }: Poses,
  first: number,
  position: Float64Array,
  orientation: Float64Array,
): PoseErrors {
  let [squares, distances, angles, count] = [0, 0, 0, 0];
  poses.slice(first).forEach((pose, f) => {
    if (!pose) return;
    const distance = Math.hypot(...pose.position.map((p, k) => position[3 * f + k] - p));
    squares += distance ** 2;
    distances += distance;
    angles += Math.hypot(...rotationBetween(pose.orientation, orientation.subarray(4 * f, 4 * f + 4)));
    count++;
  });
  return {
    rms: Math.sqrt(squares / count),
    mean: distances / count,
    angle: ((angles / count) * 180) / Math.PI,
  };
}
