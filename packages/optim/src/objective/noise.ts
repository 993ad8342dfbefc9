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
  const every = Math.max(1, Math.ceil((still.length * frames.length) / MAX_VALUES));
  const jumps: number[] = [];
  const count = still.length;
  for (let f = 0; f + 3 < frames.length; f++) {
    const four = frames.slice(f, f + 4);
    const [a, b, c, d] = four.map(({ target }) => target);
    const roots = four.map(({ rootWeights }) => rootWeights).filter((root) => root !== null);
    // Every n-th value over all frames, one after another.
    for (let k = (every - ((f * count) % every)) % every; k < count; k += every) {
      if (roots.some((root) => root[k] === 0)) continue;
      if (a[k] !== still[k] || b[k] !== a[k] || c[k] !== a[k] || d[k] !== a[k])
        jumps.push(Math.abs(d[k] - 3 * c[k] + 3 * b[k] - a[k]));
    }
  }
  if (jumps.length === 0) return 0;
  return upperMedian(jumps) / (0.6745 * Math.sqrt(20));
}
