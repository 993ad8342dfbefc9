import { upperMedian } from '@gradsim/base';
import { type Film, type ObservedOutline, outlineCentroidAndSize } from '@gradsim/film';
import type { Check, Posterior } from '@gradsim/optim';
import type { Track } from '@gradsim/video';
import { barIn } from '../film/bar.ts';

/**
 * Outlines of a cart, frame by frame, about the middle between the ends of its mask along its way, and half as large as it is long
 * there: wheels before a dark ground are not seen, and change the area by a fifth.
 */
export function barsAlong(film: Film, { points }: Track): (ObservedOutline | undefined)[] {
  const [first, last] = [points[0], points[points.length - 1]];
  const turn = Math.atan2(last.y - first.y, last.x - first.x);
  const outlines = Array<ObservedOutline | undefined>(film.count).fill(undefined);
  for (const point of points)
    if (point.blob?.isWhole) {
      const { x, y, length } = barIn(film, point, turn);
      outlines[point.frame] = { x, y, size: length / 2 };
    }
  return outlines;
}

/** Change of a mask's length within a film, as a part of it, above which it is not the whole thing. Judged: good ones change by 2 %. */
const MAX_LENGTH_CHANGE = 0.06;

/**
 * Check that masks are the whole thing in all parts of a film, by their lengths over those that a thing of constant size has
 * there: where a thing stays for half of a film, it is part of the median background.
 */
export function sameLengthCheck(outlines: readonly (ObservedOutline | undefined)[]): Check<Posterior> {
  return {
    kind: 'check',
    rank: 80,
    isCritical: true,
    fields: [outlineCentroidAndSize],
    find: ({ predicted }) => {
      const sizes = predicted[outlineCentroidAndSize.key];
      const parts = outlines.flatMap((seen, frame) => (seen ? [seen.size / sizes[3 * frame + 2]] : []));
      const third = Math.ceil(parts.length / 3);
      const usual = [0, 1, 2].map((k) => upperMedian(parts.slice(k * third, (k + 1) * third)));
      const change = 1 - Math.min(...usual) / Math.max(...usual);
      if (!(change > MAX_LENGTH_CHANGE)) return null;
      return {
        note: `The mask of what moves changes its length by ${Math.round(100 * change)} % within the film, so that its middle is not the thing's: where it stays for long, it is taken for background. Give a background, a picture without it, or cut the film there.`,
      };
    },
  };
}
