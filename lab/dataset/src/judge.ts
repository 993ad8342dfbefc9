import type { Picture } from './picture.ts';

/** Reasons why a draw is rejected. */
export const REJECTION_REASONS = ['tooStiff', 'unstable', 'sinks', 'outOfView', 'neverTouches'] as const;
/** One of {@link REJECTION_REASONS}. */
export type RejectionReason = (typeof REJECTION_REASONS)[number];

/** Maximum depth of a body below the ground, as a fraction of its largest extent. */
const MAX_SUNK = 0.5;

/**
 * Returns why a motion is rejected, or null: it sinks by more than half of its largest extent, has more than half of
 * its vertices outside of the picture in more than half of the frames, or never reaches the ground.
 *
 * @param frames coordinates of all vertices in each frame; the extent is that of the first.
 */
export function judgeFrames(frames: readonly ArrayLike<number>[], picture: Picture): RejectionReason | null {
  const isInView = viewOf(picture);
  let [lowest, framesOut] = [Number.POSITIVE_INFINITY, 0];
  for (const positions of frames) {
    let outside = 0;
    for (let k = 0; k < positions.length; k += 3) {
      lowest = Math.min(lowest, positions[k + 1]);
      if (!isInView(positions[k], positions[k + 1], positions[k + 2])) outside++;
    }
    if (outside > positions.length / 6) framesOut++;
  }
  if (-lowest > MAX_SUNK * extentOf(frames[0])) return 'sinks';
  if (framesOut > frames.length / 2) return 'outOfView';
  return lowest < 0 ? null : 'neverTouches';
}

/** Longest side of the axis-aligned bounding box, m. */
function extentOf(positions: ArrayLike<number>): number {
  const extents = [0, 1, 2].map((axis) => {
    const along = Array.from({ length: positions.length / 3 }, (_, v) => positions[3 * v + axis]);
    return Math.max(...along) - Math.min(...along);
  });
  return Math.max(...extents);
}

/** Returns a function that tells whether a point is in the picture. */
function viewOf({ camera }: Picture): (x: number, y: number, z: number) => boolean {
  const { target, distance, elevation, azimuth, fieldOfView } = camera;
  const [ce, se, ca, sa] = [Math.cos(elevation), Math.sin(elevation), Math.cos(azimuth), Math.sin(azimuth)];
  const most = Math.tan(fieldOfView / 2);
  return (x, y, z) => {
    const [dx, dy, dz] = [x - target[0], y - target[1], z - target[2]];
    const depth = distance - (ce * sa * dx + se * dy + ce * ca * dz);
    const [up, right] = [-se * sa * dx + ce * dy - se * ca * dz, ca * dx - sa * dz];
    return depth > 0 && Math.abs(up) < most * depth && Math.abs(right) < most * depth;
  };
}
