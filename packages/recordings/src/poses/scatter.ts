import { scatterOf } from '@gradsim/base/tables';
import { rotationBetween } from '@gradsim/optim';
import type { Pose } from './poses.ts';

/** A pose at its time, s. */
export interface SeenPose {
  readonly pose: Pose;
  readonly time: number;
}

/**
 * Standard deviations of one component of positions, m, and of orientations, rad: from what a parabola through three poses
 * leaves of the next, at whatever times they are. Undefined with too few poses, or if none scatters.
 */
export function scatterOfPoses(
  poses: readonly SeenPose[],
): { readonly position: number; readonly orientation: number } | undefined {
  const times = poses.map(({ time }) => time);
  const turned = turnsOf(poses);
  const position = scatterOf(times, placesOf(poses));
  const orientation = scatterOf(
    times,
    [0, 1, 2].map((c) => turned.map((turn) => turn[c])),
  );
  return position && orientation ? { position, orientation } : undefined;
}

/** Coordinates of poses, each over time. */
export const placesOf = (poses: readonly { readonly pose: Pose | null }[]): number[][] =>
  [0, 1, 2].map((c) => poses.map(({ pose }) => pose?.position[c] ?? Number.NaN));

/** Rotation vectors from the first pose on, added up from one pose to the next. */
function turnsOf(seen: readonly SeenPose[]): number[][] {
  let turned = [0, 0, 0];
  return seen.map(({ pose }, k) => {
    const before = seen[Math.max(k - 1, 0)].pose.orientation;
    turned = rotationBetween(before, pose.orientation).map((angle, c) => angle + turned[c]);
    return turned;
  });
}
