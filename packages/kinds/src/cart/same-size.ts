import { upperMedian } from '@gradsim/base';
import { type ObservedOutline, outlineCentroidAndSize } from '@gradsim/film';
import type { Check, Posterior } from '@gradsim/optim';

/** Change of a mask's size within a film, as a part of it, above which it is not the whole thing. Judged: good ones change by 2 %. */
const MAX_SIZE_CHANGE = 0.06;

/**
 * Check that masks are the whole thing in all parts of a film, by their sizes over those that a thing of constant size has
 * there: where a thing stays for half of a film, it is part of the median background.
 */
export function sameSizeCheck(outlines: readonly (ObservedOutline | undefined)[]): Check<Posterior> {
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
      if (!(change > MAX_SIZE_CHANGE)) return null;
      return {
        note: `The mask of what moves changes its size by ${Math.round(100 * change)} % within the film, so that its middle is not the thing's: where it stays for long, it is taken for background. Give a background, a picture without it, or cut the film there.`,
      };
    },
  };
}
