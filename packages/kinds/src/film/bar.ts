import { median } from '@gradsim/base';
import type { Film } from '@gradsim/film';
import type { Blob2D, TrackPoint } from '@gradsim/video';
import { valuesInRegion } from '@gradsim/video';

/** Distance from the end of a mask within which the end is not sharp, px. */
const RIM = 2;

/** Middle between the ends of a mask, px, and its length and width, px. */
export interface Bar {
  readonly x: number;
  readonly y: number;
  readonly length: number;
  readonly width: number;
}

/**
 * Finds the ends of a mask along an axis, by its sums across it.
 * @param axisAngle angle of the axis from the right, clockwise, rad. Default: the long axis of the mask.
 */
export function barIn({ masks }: Film, { frame, x, y, blob }: TrackPoint, axisAngle = longAxis(blob!)): Bar {
  const { bounds } = blob!;
  const [c, s] = [Math.cos(axisAngle), Math.sin(axisAngle)];
  const [columns, rows] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  const zero = Math.ceil(Math.hypot(columns, rows));
  const sums = new Float64Array(2 * zero + 2);
  valuesInRegion(masks, frame, { x: bounds.left, y: bounds.top, width: columns, height: rows }).forEach((part, p) => {
    const [u, v] = [bounds.left + (p % columns) + 0.5 - x, bounds.top + Math.floor(p / columns) + 0.5 - y];
    const at = zero + u * c + v * s;
    const k = Math.floor(at);
    sums[k] += part * (k + 1 - at);
    sums[k + 1] += part * (at - k);
  });
  const width = median(Array.from(sums.filter((sum) => sum > 0)));
  const to = endOf(sums, width) - zero;
  const from = zero - endOf([...sums].reverse(), width) + 1;
  const middle = (from + to) / 2;
  return { x: x + middle * c, y: y + middle * s, length: to - from, width };
}

const longAxis = ({ xx, xy, yy }: Blob2D): number => Math.atan2(2 * xy, xx - yy) / 2;

/** Last place of a bar with these sums across it, to a part of a pixel: where they fall below half of those before. */
function endOf(sums: ArrayLike<number>, width: number): number {
  const all = Array.from(sums);
  const last = all.findLastIndex((sum) => sum >= width / 2);
  // The mask of a blurred end is wider than the end.
  const before = all.slice(Math.max(0, last - RIM - Math.ceil(width)), last - RIM);
  const half = Math.max(width / 2, median(before)) / 2;
  const end = all.findLastIndex((sum) => sum >= half);
  return end + (all[end] - half) / (all[end] - all[end + 1]);
}
