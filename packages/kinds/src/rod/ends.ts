import { Link } from '@gradsim/articulated';
import { median } from '@gradsim/base';
import { definePlugin, field, fieldOn, kernel, norm, type Vec3, vec3 } from '@gradsim/core';
import type { Film } from '@gradsim/film';
import { CAMERA_PORTS } from '@gradsim/render';
import type { Track, TrackPoint } from '@gradsim/video';
import { valuesInRegion } from '@gradsim/video';

/**
 * Point, m, that the camera sees midway between the rod's ends. It is compared in place of the middle of the mask's area, which
 * a percent of the area that shade hides at one end displaces by a pixel, and of which a nearer half covers more.
 */
export const middleOfEnds = field('world', 'middleOfEnds', vec3, { unit: 'm' });

/**
 * Computes {@link middleOfEnds} for a rod whose pivot and middle are the first two links.
 * @param half half of the length of the rod, m.
 */
export const endsOfRod = (half: number) =>
  definePlugin({
    name: '@gradsim/kinds/rod',
    contract: 1,
    components: [Link],
    build: ({ model }) => {
      const { viewPosition, viewAxes } = CAMERA_PORTS;
      model.addField(middleOfEnds);
      model.addPass(
        'observe',
        kernel(
          'middleOfEnds',
          {
            domain: 'world',
            reads: { position: fieldOn(Link.position), viewPosition, viewAxes },
            writes: { middleOfEnds },
          },
          ({ position, viewPosition: eye, viewAxes: axes }) => {
            const middle = position.at(1);
            const away = middle.sub(position.at(0));
            const along = away.mul(half).div(norm(away));
            const [near, far] = [middle.sub(along), middle.add(along)];
            const depth = (place: Vec3) => axes.at(0).mul(place.sub(eye.at(0))).z;
            // The picture of the mean of points with the weights 1 / z is the mean of their pictures.
            const [a, b] = [depth(far), depth(near)];
            return { middleOfEnds: near.mul(a).add(far.mul(b)).div(a.add(b)) };
          },
        ),
      );
    },
  });

/**
 * Part of the stated error of middles that a film may show: what masks make of light and blur comes again in each swing. Origin:
 * films of known truth, where middles are 0.1 to 0.3 px off, alike in neighbouring frames.
 */
export const LEAST_SHARE = 0.5;

/** Distance from the end of a mask within which the end is not sharp, px. */
const RIM = 2;

/** Middle between the ends of a rod's mask, px, and its length and width, px. */
interface Bar {
  readonly x: number;
  readonly y: number;
  readonly length: number;
  readonly width: number;
}

/**
 * Measures a rod's masks.
 * @param pixelsPerMetre pixels of a metre in the plane of its swing.
 * @returns its outlines, frame by frame, about the middle between its ends, and usual halves of its length and width, m.
 */
export function barsOf({ masks, count }: Film, { points }: Track, pixelsPerMetre: number) {
  const bars = Array<Bar | undefined>(count).fill(undefined);
  for (const point of points) if (point.blob?.isWhole) bars[point.frame] = barIn(masks, point);
  const half = (of: 'length' | 'width'): number => median(bars.flatMap((bar) => (bar ? [bar[of]] : []))) / 2;
  const [length, size] = [half('length'), half('width')];
  const outlines = bars.map((bar) => bar && { x: bar.x, y: bar.y, size });
  return { outlines, half: length / pixelsPerMetre, radius: size / pixelsPerMetre };
}

/** Finds the ends of a mask along its long axis, by its sums across it. */
function barIn(masks: Film['masks'], { frame, x, y, blob }: TrackPoint): Bar {
  const { bounds, xx, xy, yy } = blob!;
  const turn = Math.atan2(2 * xy, xx - yy) / 2;
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
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
