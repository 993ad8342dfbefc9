import type { PreparedObservation } from '../objective/prepared-observation.ts';

/**
 * Error of a pixel of an outline, relative to the contrast across it: that of pictures by `softRas` with `compositing:
 * 'area'`, whose outlines are the most exact, against rays cast through every pixel (`npm run -s bench -- stills --noise
 * 0`). Cameras and renderers weigh a pixel's area in ways of their own.
 */
const OUTLINE_ERROR = 0.01;
/** Number of distinct values from which on values count as not rounded. */
const MAX_LEVELS = 4096;

/**
 * Smallest variance of a residual of still pictures where an outline passes. The background may show none of it: a
 * picture of a program is rounded only, and nothing of that is seen where it is flat or saturated, as in a mask.
 *
 * @param contrast largest difference from the background.
 */
export function leastStillVariance({ frames }: Pick<PreparedObservation, 'frames'>, contrast: number): number {
  let [weights, counted] = [0, 0];
  const levels = new Set<number>();
  for (const { target, rootWeights } of frames)
    for (let k = 0; k < target.length; k++) {
      const root = rootWeights?.[k] ?? 1;
      if (root === 0) continue;
      weights += root * root;
      counted++;
      if (levels.size < MAX_LEVELS) levels.add(Math.fround(target[k] / root));
    }
  const rounding = levels.size < MAX_LEVELS ? smallestGap(levels) ** 2 / 12 : 0;
  return (OUTLINE_ERROR * contrast) ** 2 + rounding * (weights / Math.max(1, counted));
}

/** Smallest difference between two of these values; 0 if there are not two. */
function smallestGap(values: ReadonlySet<number>): number {
  const sorted = Float64Array.from(values).sort();
  const gaps = sorted.slice(1).map((value, k) => value - sorted[k]);
  return gaps.length > 0 ? Math.min(...gaps) : 0;
}
