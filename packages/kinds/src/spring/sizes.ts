import { upperMedian } from '@gradsim/base';
import type { ObservedOutline } from '@gradsim/film';

/** Part of the amplitude within which the ball is near its place of rest. Judged. */
const NEAR = 0.3;

/**
 * Outlines whose sizes are compared near the place of rest alone. They say how far away the ball is; as it bobs, they change by
 * about 1 %, and by as much where it passes from a dark wall to a light floor, which would be taken for a perspective.
 */
export function sizedAtRest(outlines: readonly (ObservedOutline | undefined)[]): (ObservedOutline | undefined)[] {
  const heights = outlines.flatMap((seen) => (seen ? [seen.y] : []));
  const [rest, amplitude] = [upperMedian(heights), (Math.max(...heights) - Math.min(...heights)) / 2];
  return outlines.map((seen) => seen && { ...seen, isSized: Math.abs(seen.y - rest) <= NEAR * amplitude });
}
