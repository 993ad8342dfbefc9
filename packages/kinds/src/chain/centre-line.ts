import { Link } from '@gradsim/articulated';
import { median } from '@gradsim/base';
import { clamp, definePlugin, type F32, f32, field, fieldOn, kernel, norm, type Vec3, vec2, vec3 } from '@gradsim/core';
import type { Film } from '@gradsim/film';
import { CAMERA_PORTS } from '@gradsim/render';
import type { Track, TrackPoint } from '@gradsim/video';
import { valuesInRegion } from '@gradsim/video';

/**
 * Point, m, that the camera sees in the middle of the upper part of the chain's centre line, a part that is as long in all
 * frames, px. It is compared in place of the middle of the mask: where blur and shade make a piece of the mask a tenth wider, that
 * moves by 5 px, and the free end fades where it is fast.
 */
export const lineMiddle = field('world', 'lineMiddle', vec3, { unit: 'm' });

/**
 * Computes {@link lineMiddle} of a chain, before the plugin `projectedOutline` draws it.
 * @param rods number of rods that stand for it, the first links of the scene, before one at its end.
 * @param width of the picture, px.
 * @param part length of the upper part in the picture, px.
 */
export const centreLine = (rods: number, width: number, part: number) =>
  definePlugin({
    name: '@gradsim/kinds/chain-line',
    contract: 1,
    components: [Link],
    build: ({ model }) => {
      const { viewPosition, viewAxes, lens } = CAMERA_PORTS;
      model.addField(lineMiddle);
      model.addPass(
        'observe',
        kernel(
          'middleOfLine',
          {
            domain: 'world',
            reads: { position: fieldOn(Link.position), viewPosition, viewAxes, lens },
            writes: { lineMiddle },
          },
          ({ position, viewPosition: eye, viewAxes: axes, lens: at }) => {
            // From -1 to 1 over the width.
            const focal = at.at(0).x.mul(width / 2);
            const depthOf = (place: Vec3): F32 => axes.at(0).mul(place.sub(eye.at(0))).z;
            const seen = Array.from({ length: rods + 1 }, (_, rod) => {
              const { x, y, z } = axes.at(0).mul(position.at(rod).sub(eye.at(0)));
              return vec2(x.div(z), y.div(z)).mul(focal);
            });
            let [left, whole, weighed] = [f32(part), f32(0), vec3(0, 0, 0)];
            for (let rod = 0; rod < rods; rod++) {
              const length = norm(seen[rod + 1].sub(seen[rod]));
              const share = clamp(left.div(length), 0, 1);
              const [from, to] = [position.at(rod), position.at(rod + 1)];
              const place = from.add(to.sub(from).mul(share.mul(0.5)));
              // The picture of the mean of points with the weights w / z is the mean of their pictures with the weights w.
              const weight = share.mul(length).div(depthOf(place));
              left = left.sub(length);
              whole = whole.add(weight);
              weighed = weighed.add(place.mul(weight));
            }
            return { lineMiddle: weighed.div(whole) };
          },
        ),
      );
    },
  });

/** Rows of a mask over which the slope of its centre line is taken, to either side. */
const SLOPE_ROWS = 3;
/** Part of the median width of a mask from which a row is the chain's. Judged. */
const MIN_WIDTH = 0.5;
/**
 * Rank, among the lengths of the centre lines in all frames, of the one up to which they are compared, and the part of it that is:
 * blurred ends come and go. Judged.
 */
const [SHORT, COMPARED] = [0.1, 0.98];
/** Part of the longest centre line below which frames are left out instead. Judged. */
const MIN_PART = 0.6;

/** Middles of the upper parts of a chain's centre lines, by frame of its film. */
interface CentreLines {
  /** Length of the whole chain in the picture, and of these parts, px. */
  readonly length: number;
  readonly part: number;
  readonly middles: readonly (readonly [x: number, y: number] | undefined)[];
}

/**
 * Centre lines of the masks of a hanging chain. Frames in which less of it is seen have none.
 * @param track of it, at some of whose points it is wholly in the picture.
 */
export function centreLinesOf({ masks, count }: Film, { points }: Track): CentreLines {
  const whole = points.filter(({ blob }) => blob?.isWhole);
  const seen = whole.map((point) => ({ frame: point.frame, rows: rowsIn(masks, point) }));
  // The upper end, where it hangs, rests.
  const top = median(seen.map(({ rows }) => rows[0].y));
  const lines = seen.map(({ frame, rows }) => ({ frame, line: lineFrom(rows, top) }));
  const lengths = lines.map(({ line }) => line.reduce((sum, { length }) => sum + length, 0)).sort((a, b) => a - b);
  const ranked = (rank: number): number => lengths[Math.round(rank * (lengths.length - 1))];
  const length = ranked(1 - SHORT);
  const part = COMPARED * Math.max(ranked(SHORT), MIN_PART * length);
  const middles = Array<CentreLines['middles'][number]>(count).fill(undefined);
  for (const { frame, line } of lines) middles[frame] = middleOf(line, part);
  return { length, part, middles };
}

/** Middle of a row of a mask and its width, px. */
interface Row {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** Rows of a mask from the first to the last that are as wide as the chain. */
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
