/** Positions of markers at moments, s: flat, [moment][marker][component]; NaN where a marker was not seen. */
export interface SeenMarkers {
  readonly times: ArrayLike<number>;
  readonly positions: Float64Array;
  /** Number of markers. */
  readonly count: number;
}

/** Gap between moments, in frames, across which no position is computed. */
const MAX_GAP_FRAMES = 2.5;

/** Puts positions at moments into their frames; others are NaN. */
export function placeInFrames({ positions, count }: SeenMarkers, at: ArrayLike<number>, frames: number): Float64Array {
  const all = new Float64Array(frames * count * 3).fill(Number.NaN);
  for (let k = 0; k < at.length; k++)
    all.set(positions.subarray(3 * count * k, 3 * count * (k + 1)), 3 * count * at[k]);
  return all;
}

/**
 * Positions at equal steps from the first moment on, from those before and after by cubics (Hermite), whose slopes are those
 * of parabolas through neighbours: what changes as t^2 is exact. Between moments that are far apart they are NaN.
 */
export function interpolateAtEvenTimes(
  { times, positions, count }: SeenMarkers,
  { frameRate, frames }: { readonly frameRate: number; readonly frames: number },
): Float64Array {
  const all = new Float64Array(frames * count * 3).fill(Number.NaN);
  for (let m = 0; m < 3 * count; m++) {
    const value = (k: number): number => positions[3 * count * k + m];
    const seen = Array.from(times, (_, k) => k).filter((k) => !Number.isNaN(value(k)));
    let k = 0;
    for (let f = 0; f < frames; f++) {
      const t = times[0] + f / frameRate;
      while (k + 2 < seen.length && times[seen[k + 1]] <= t) k++;
      const [a, b] = [seen[k], seen[k + 1]];
      if (a === undefined || b === undefined) continue;
      const isInside = t >= times[a] - 1e-9 && t <= times[b] + 1e-9;
      if (isInside && (times[b] - times[a]) * frameRate <= MAX_GAP_FRAMES)
        all[3 * count * f + m] = hermiteValue(seen, k, t, times, value);
    }
  }
  return all;
}

/** Value at a time between the k-th and the next of the moments that are seen. */
function hermiteValue(
  seen: readonly number[],
  k: number,
  t: number,
  times: ArrayLike<number>,
  value: (k: number) => number,
): number {
  const [a, b] = [seen[k], seen[k + 1]];
  const length = times[b] - times[a];
  const chord = (value(b) - value(a)) / length;
  /** Slope at an end by the parabola through it, the other end and the moment beyond it. */
  const slope = (end: number, beyond: number | undefined): number => {
    if (beyond === undefined) return Number.NaN;
    const other = times[beyond] - times[end];
    const outer = (value(beyond) - value(end)) / other;
    const inner = end === a ? length : -length;
    return (chord * other - outer * inner) / (other - inner);
  };
  let [from, to] = [slope(a, seen[k - 1]), slope(b, seen[k + 2])];
  // At the ends a parabola through three moments.
  if (Number.isNaN(from)) from = Number.isNaN(to) ? chord : 2 * chord - to;
  if (Number.isNaN(to)) to = 2 * chord - from;
  const s = (t - times[a]) / length;
  return (
    value(a) * (1 - s) ** 2 * (1 + 2 * s) +
    value(b) * s * s * (3 - 2 * s) +
    length * s * (1 - s) * (from * (1 - s) - to * s)
  );
}
