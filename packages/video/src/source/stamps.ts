/** Times of a film's frames by their stamps. */
export interface Stamps {
  /** Frames per second; of frames at uneven times, by the interval that is usual between two. */
  readonly frameRate: number;
  /** Times of the frames, s, from the first, if they are not even. */
  readonly times?: readonly number[];
}

/**
 * Spread of even times about a line, in units of the stamps' resolution: rounding to the nearest makes 1, and rounding
 * twice, as when a film is copied to another container, a little more.
 */
const ROUNDING_TOLERANCE = 1.25;
/** The same in parts of a frame interval: what wavers by less is even, since it moves nothing by a visible part. */
const MAX_JITTER = 0.005;
/** Part of the median interval by which an interval may differ to count as usual. */
const USUAL_TOLERANCE = 0.25;
/** Resolution to which times may have been rounded before, whatever the file's own, s: films are copied from WebM. */
const MILLISECOND = 1e-3;

/**
 * Returns the rate of frames, or their times if they are not even: if they spread about a line by more than the
 * rounding of the stamps and by more than a two hundredth of an interval.
 *
 * @example
 * const { frameRate, times } = stampsOf([0, 0.033, 0.067, 0.133], 0.001, 30);
 *
 * @param stamps times of at least two frames, s, ascending.
 * @param resolution of the stamps, s.
 * @param evenRate frames per second, if the times are even.
 */
export function stampsOf(stamps: readonly number[], resolution: number, evenRate: number): Stamps {
  const rounding = stamps.every((time) => isWhole(time / MILLISECOND)) ? MILLISECOND : 0;
  const limit = Math.max(ROUNDING_TOLERANCE * Math.max(resolution, rounding), MAX_JITTER / evenRate);
  if (spreadAboutLine(stamps) <= limit) return { frameRate: evenRate };
  return { frameRate: 1 / usualInterval(stamps), times: stamps.map((time) => time - stamps[0]) };
}

/** Times that the interval which makes the spread least is narrowed down, each to two thirds: to 1e-7 of the first. */
const SPREAD_STEPS = 40;

const isWhole = (value: number): boolean => Math.abs(value - Math.round(value)) < 1e-4;

/**
 * Difference between the largest and the smallest deviation of times from a line, s, for the line that makes it least: that
 * of rounded even times is one unit at most, about the line of least squares it may be more.
 */
function spreadAboutLine(times: readonly number[]): number {
  const last = times.length - 1;
  const spread = (interval: number): number => {
    let [low, high] = [0, 0];
    times.forEach((time, k) => {
      const off = time - times[0] - interval * k;
      low = Math.min(low, off);
      high = Math.max(high, off);
    });
    return high - low;
  };
  // Convex in the interval, and least within its own value at the mean interval.
  const mean = (times[last] - times[0]) / last;
  let [from, to] = [mean - spread(mean) / last, mean + spread(mean) / last];
  for (let step = 0; step < SPREAD_STEPS; step++) {
    const third = (to - from) / 3;
    if (spread(from + third) < spread(to - third)) to -= third;
    else from += third;
  }
  return spread((from + to) / 2);
}

/** Mean of the intervals that are about as long as the median: those of rounded times differ by their rounding. */
function usualInterval(times: readonly number[]): number {
  const intervals = times.slice(1).map((time, k) => time - times[k]);
  const median = intervals.toSorted((a, b) => a - b)[intervals.length >> 1];
  const usual = intervals.filter((interval) => Math.abs(interval - median) <= USUAL_TOLERANCE * median);
  return usual.reduce((sum, interval) => sum + interval / usual.length, 0);
}
