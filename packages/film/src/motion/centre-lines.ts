import { median } from '@gradsim/base';
import { GradsimError } from '@gradsim/core';
import type { Track, TrackPoint } from '@gradsim/video';
import { valuesInRegion } from '@gradsim/video';
import type { Film } from '../film.ts';

/** Rows of a mask over which the slope of its centre line is taken, to either side. */
const SLOPE_ROWS = 3;
/** Part of the median width of a mask from which a row is the thing's. Judged. */
const MIN_WIDTH = 0.5;
/**
 * Rank, among the lengths of the centre lines in all frames, of the one up to which they are compared, and the part of it that is:
 * blurred ends come and go. Judged.
 */
const [SHORT, COMPARED] = [0.1, 0.98];
/** Part of the longest centre line below which frames are left out instead. Judged. */
const MIN_PART = 0.6;

/** Upper parts of the centre lines of a thing. */
export interface CentreLines {
  /** Length of these parts, px. */
  readonly part: number;
  /** Track of their middles. */
  readonly middles: Track;
}

/**
 * Centre lines of the masks of a long thing that hangs, from row to row of the picture: the middle of the upper part of each, a
 * part that is as long in all frames. Unlike the middle of the mask it rests where the lower end fades, and where blur and shade
 * make a piece of the mask wider. Frames in which less of it is seen have none.
 *
 * ```ts
 * const swing = startOfSwing(centreLinesOf(film, track).middles, camera.view, { radius: 0.01 });
 * ```
 * @param track of it.
 * @throws where it is wholly in the picture at none of its points.
 */
export function centreLinesOf({ masks }: Film, { name, points }: Track): CentreLines {
  const whole = points.filter(({ blob }) => blob?.isWhole);
  if (whole.length === 0)
    throw new GradsimError('film/track-too-short', `The track ${name} has no point at which the whole thing is seen.`);
  const seen = whole.map((point) => rowsIn(masks, point));
  // The upper end, where it hangs, rests.
  const top = median(seen.map((rows) => rows[0].y));
  const lines = seen.map((rows) => lineFrom(rows, top));
  const lengths = lines.map((line) => line.reduce((sum, { length }) => sum + length, 0)).sort((a, b) => a - b);
  const ranked = (rank: number): number => lengths[Math.round(rank * (lengths.length - 1))];
  const part = COMPARED * Math.max(ranked(SHORT), MIN_PART * ranked(1 - SHORT));
  const middles = lines.flatMap((line, k) => {
    const at = middleOf(line, part);
    return at ? [{ ...whole[k], x: at[0], y: at[1] }] : [];
  });
  return { part, middles: { name, points: middles } };
}

/** Middle of a row of a mask and its width, px. */
interface Row {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** Rows of a mask from the first to the last that are as wide as the thing. */
function rowsIn(masks: Film['masks'], { frame, blob }: TrackPoint): Row[] {
  const { left, top, right, bottom } = blob!.bounds;
  const [columns, count] = [right - left, bottom - top];
  const mask = valuesInRegion(masks, frame, { x: left, y: top, width: columns, height: count });
  const rows = Array.from({ length: count }, (_, row) => {
    const own = mask.subarray(row * columns, (row + 1) * columns);
    const width = own.reduce((sum, covered) => sum + covered, 0);
    return { width, x: left + own.reduce((sum, covered, k) => sum + covered * (k + 0.5), 0) / width, y: top + row };
  });
  const least = MIN_WIDTH * median(rows.map(({ width }) => width));
  const isOwn = ({ width }: Row): boolean => width >= least;
  return rows.slice(rows.findIndex(isOwn), rows.findLastIndex(isOwn) + 1);
}

/** Centre line from a row of the picture on, extended to it if it begins below, a piece a row. */
function lineFrom(rows: readonly Row[], top: number) {
  const pieces = rows.map(({ x, y }, row) => {
    const [from, to] = [rows[Math.max(0, row - SLOPE_ROWS)], rows[Math.min(rows.length - 1, row + SLOPE_ROWS)]];
    const slope = (to.x - from.x) / (to.y - from.y);
    return { x, y: y + 0.5, slope, length: Math.hypot(1, slope) };
  });
  const [first] = pieces;
  const missing = Array.from({ length: Math.max(0, Math.round(first.y - 0.5 - top)) }, (_, k) => {
    const y = top + k + 0.5;
    return { ...first, x: first.x + first.slope * (y - first.y), y };
  });
  return [...missing, ...pieces.filter(({ y }) => y > top)];
}

/** Middle of the first part of a line, of a length in px; undefined if the line is shorter. */
function middleOf(line: ReturnType<typeof lineFrom>, part: number): readonly [number, number] | undefined {
  let [left, sumX, sumY] = [part, 0, 0];
  for (const { x, y, slope, length } of line) {
    const own = Math.min(left, length);
    // Of the last piece the upper end counts.
    const up = (1 - own / length) / 2;
    sumX += own * (x - slope * up);
    sumY += own * (y - up);
    left -= own;
    if (left <= 0) return [sumX / part, sumY / part];
  }
  return undefined;
}
