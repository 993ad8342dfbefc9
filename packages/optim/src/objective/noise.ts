import { upperMedian } from '@gradsim/base';

/** Minimum number of frames from which noise is measured. */
const MIN_FRAMES = 6;
/** Maximum number of third differences that noise is measured from. */
const MAX_VALUES = 20_000;

/** Target values of a frame, and the square roots of their weights; null if all weights are 1. */
interface TargetFrame {
  readonly target: Float64Array;
  readonly rootWeights: Float64Array | null;
}

/**
 * Standard deviation of the target's noise, from third differences over frames: for a signal that is smooth in time,
 * the median of their absolute values is 0.6745 sqrt(20) standard deviations. Values that stay at
 * the static background for four frames and values of weight 0 are excluded. Null with too few frames.
 *
 * @param still values of the static background.
 */
export function measuredNoise(frames: readonly TargetFrame[], still: ArrayLike<number>): number | null {
  if (frames.length < MIN_FRAMES) return null;
  const count = still.length;
  const every = Math.max(1, Math.ceil((count * frames.length) / MAX_VALUES));
  const jumps = new Float64Array(Math.ceil((count * frames.length) / every));
  let found = 0;
  for (let f = 0; f + 3 < frames.length; f++) {
    // Every n-th value over all frames, one after another.
    const first = (every - ((f * count) % every)) % every;
    found = addJumps(jumps, found, frames.slice(f, f + 4), still, first, every);
  }
  if (found === 0) return 0;
  return upperMedian(jumps.subarray(0, found)) / (0.6745 * Math.sqrt(20));
}

/** Writes the third differences of every n-th value that changes in four frames, and returns their number so far. */
function addJumps(
  to: Float64Array,
  at: number,
  [a, b, c, d]: readonly TargetFrame[],
  still: ArrayLike<number>,
  first: number,
  every: number,
): number {
  let next = at;
  for (let k = first; k < still.length; k += every) {
    if (isLeftOut(a, k) || isLeftOut(b, k) || isLeftOut(c, k) || isLeftOut(d, k)) continue;
    const own = a.target[k];
    if (own === still[k] && b.target[k] === own && c.target[k] === own && d.target[k] === own) continue;
    to[next++] = Math.abs(d.target[k] - 3 * c.target[k] + 3 * b.target[k] - own);
  }
  return next;
}

/** True if a value has weight 0. */
export const isLeftOut = ({ rootWeights }: Pick<TargetFrame, 'rootWeights'>, k: number): boolean =>
  rootWeights !== null && rootWeights[k] === 0;
