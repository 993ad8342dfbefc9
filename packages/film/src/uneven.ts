import type { FilmInfo } from '@gradsim/video';

/** Part of an interval by which the next may differ to be of the same rate. */
const MAX_INTERVAL_CHANGE = 0.15;
/** Fewest intervals of a part of a film with a rate of its own, and most parts that are told one by one. */
const MIN_INTERVALS = 3;
const MOST_PARTS = 3;

/**
 * Describes when the frames of a film were taken, by time stamps that are not even: `30 then 20 a second`, `30 a second, of
 * which 9 are missing`. Undefined for even ones.
 *
 * ```ts
 * const text = unevenTimes(await inspectFilm('phone.mp4'));
 * ```
 */
export function unevenTimes({ times, frameRate: usualRate = 0 }: FilmInfo): string | undefined {
  if (!times) return undefined;
  const intervals = times.slice(1).map((time, k) => time - times[k]);
  const counts = intervals.map((interval) => Math.round(interval * usualRate));
  const isDropped = intervals.every(
    (interval, k) => Math.abs(interval * usualRate - counts[k]) < MAX_INTERVAL_CHANGE && counts[k] > 0,
  );
  const missing = counts.reduce((sum, count) => sum + count - 1, 0);
  if (isDropped && missing > 0)
    return `${fourDigits(usualRate)} a second, of which ${missing} ${missing === 1 ? 'is' : 'are'} missing`;
  const parts = partsOf(intervals);
  if (parts.length <= MOST_PARTS && parts.every(({ length }) => length >= MIN_INTERVALS))
    return `${parts.map((part) => fourDigits(part.length / part.reduce((a, b) => a + b))).join(' then ')} a second`;
  const [shortest, longest] = [Math.min(...intervals), Math.max(...intervals)];
  return `${fourDigits(1000 * shortest)} to ${fourDigits(1000 * longest)} ms apart`;
}

/** Runs of intervals of about one length. */
function partsOf(intervals: readonly number[]): number[][] {
  const parts: number[][] = [];
  for (const interval of intervals) {
    const own = parts.at(-1);
    if (own && Math.abs(interval / own[0] - 1) < MAX_INTERVAL_CHANGE) own.push(interval);
    else parts.push([interval]);
  }
  return parts;
}

const fourDigits = (value: number): number => Number(value.toPrecision(3));
