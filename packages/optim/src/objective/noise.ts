import { upperMedian } from '@gradsim/numeric';

/** With fewer frames nothing is known of noise. */
const LEAST_FRAMES = 6;
/** Values whose jumps tell the noise. */
const MOST_VALUES = 20_000;

/** What was seen in a frame, and the roots of its weights; null where all are 1. */
interface Seen {
  readonly target: Float64Array;
  readonly rootWeights: Float64Array | null;
}

/**
 * The noise of values over time, a standard deviation: half of their third differences are smaller than 0.6745 sqrt(20) of it
 * where what is behind them is smooth. Of values that stand still, or have no weight, there is none. Null where there are too
 * few frames.
 *
 * @param still what values are where nothing moves.
 */
export function measuredNoise(frames: readonly Seen[], still: ArrayLike<number>): number | null {
  if (frames.length < LEAST_FRAMES) return null;
  const every = Math.max(1, Math.ceil((still.length * frames.length) / MOST_VALUES));
  const jumps: number[] = [];
  const count = still.length;
  for (let f = 0; f + 3 < frames.length; f++) {
    const four = frames.slice(f, f + 4);
    const [a, b, c, d] = four.map(({ target }) => target);
    const roots = four.map(({ rootWeights }) => rootWeights).filter((root) => root !== null);
    // Every so many values of all frames, one after another.
    for (let k = (every - ((f * count) % every)) % every; k < count; k += every) {
      if (roots.some((root) => root[k] === 0)) continue;
      if (a[k] !== still[k] || b[k] !== a[k] || c[k] !== a[k] || d[k] !== a[k])
        jumps.push(Math.abs(d[k] - 3 * c[k] + 3 * b[k] - a[k]));
    }
  }
  if (jumps.length === 0) return 0;
  return upperMedian(jumps) / (0.6745 * Math.sqrt(20));
}
