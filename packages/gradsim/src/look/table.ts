import { upperMedian } from '@gradsim/base';
import type { Track } from '@gradsim/video';
import { formatNumber } from '../terminal/numbers.ts';

export const TRACK_COLUMNS = ['track', 'frames', 'seen', 'x [px]', 'y [px]', 'area [px²]', 'may be off'];

/** Sentence on the number of smaller tracks, which only the CSV file lists. */
export const smaller = (count: number): string =>
  `${count} smaller ${count === 1 ? 'one is' : 'ones are'} in tracks.csv alone.`;

/** Table row of a track: its numbers as text. */
export function trackRow({ name, points }: Track): string[] {
  const range = (values: readonly number[]): string =>
    `${formatNumber(Math.min(...values), 4)} to ${formatNumber(Math.max(...values), 4)}`;
  const areas = points.flatMap(({ area }) => (area === undefined ? [] : [area]));
  const error = upperMedian(points.map(({ areaError = 0 }) => areaError));
  return [
    name,
    `${points[0].frame} to ${points.at(-1)!.frame}`,
    String(points.length),
    range(points.map(({ x }) => x)),
    range(points.map(({ y }) => y)),
    areas.length > 0 ? range(areas) : '',
    `${formatNumber(100 * error, 2)} %`,
  ];
}
