import { mean, median, upperMedian } from '@gradsim/base';
import { type Film, observedOutlines, outlineCentroidAndSize } from '@gradsim/film';
import type { Check, Posterior } from '@gradsim/optim';
import type { Track } from '@gradsim/video';
import { barIn } from '../film/bar.ts';

/**
 * Part of the stated error of middles that a film may show: wheels and end faces that masks miss move them alike in neighbouring
 * frames, as a turn of the track does. Origin: 12 known films; with a half, errors were 1.8 standard errors in the root mean square.
 */
export const LEAST_SHARE = 1;

/** Lengths of a cart's masks along its way, by frame, px. */
function lengthsAlong(film: Film, { points }: Track): (number | undefined)[] {
  // The long axis of the way, also of a cart that turns back.
  const [mx, my] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))];
  const moments = points.map(({ x, y }) => [2 * (x - mx) * (y - my), (x - mx) ** 2 - (y - my) ** 2]);
  const turn = Math.atan2(mean(moments.map(([xy]) => xy)), mean(moments.map(([, xx]) => xx))) / 2;
  const lengths = Array<number | undefined>(film.count).fill(undefined);
  for (const point of points) if (point.blob?.isWhole) lengths[point.frame] = barIn(film, point, turn).length;
  return lengths;
}

/** Half of the length of a cart's front, over the radius of a ball with as large a mask: where no end face is in view it is shortest. 1 if no mask is whole. */
export function halfLength(film: Film, track: Track): number {
  const lengths = lengthsAlong(film, track).flatMap((length) => length ?? []);
  if (lengths.length === 0) return 1;
  const shortest = lengths.toSorted((a, b) => a - b)[Math.floor(lengths.length / 4)];
  return shortest / 2 / median(observedOutlines(film, track).flatMap((seen) => seen?.size ?? []));
}

/** Change of a mask within a film, as a part of it, above which it is not the whole thing. Judged: good ones change by 2 %. */
const MAX_CHANGE = 0.06;

/**
 * Check that masks are the whole thing in all parts of a film, by their sizes and by their lengths over those that a thing of
 * constant size has there: where a thing stays for half of a film, it is part of the median background. One of both may change:
 * wheels before a dark ground are not seen, a fifth of the area, and where a cart is seen from an end it is longer.
 */
export function sameSizeCheck(film: Film, track: Track): Check<Posterior> {
  const sizes = observedOutlines(film, track).map((seen) => seen?.size);
  const lengths = lengthsAlong(film, track);
  return {
    kind: 'check',
    rank: 80,
    isCritical: true,
    fields: [outlineCentroidAndSize],
    find: ({ predicted }) => {
      const model = predicted[outlineCentroidAndSize.key];
      const changeOf = (seen: readonly (number | undefined)[]): number => {
        const parts = seen.flatMap((size, frame) => (size === undefined ? [] : [size / model[3 * frame + 2]]));
        const third = Math.ceil(parts.length / 3);
        const usual = [0, 1, 2].map((k) => upperMedian(parts.slice(k * third, (k + 1) * third)));
        return 1 - Math.min(...usual) / Math.max(...usual);
      };
      const change = Math.min(changeOf(sizes), changeOf(lengths));
      if (!(change > MAX_CHANGE)) return null;
      return {
        note: `The mask of what moves changes its size by ${Math.round(100 * change)} % within the film, so that its middle is not the thing's: where it stays for long, it is taken for background. Give a background, a picture without it, or cut the film there.`,
      };
    },
  };
}
