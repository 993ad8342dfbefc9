import { linearLeastSquares } from '@gradsim/base';
import type { Check, Posterior } from '@gradsim/optim';
import type { Track } from '@gradsim/video';

/** Frames with a whole mask below which nothing is said, and least scatter of leans, rad. Judged. */
const [FEWEST, LEAST] = [10, 0.05];
/** Ratio of a lean to the expected one, or its inverse, up to which it is that: a mark may lie across a turned plane. Judged. */
const MAX_LEAN_RATIO = 1.1;

/**
 * Check that a long thing that swings leans as it should: of a rod the long axis of the mask points to the pivot, and that of a
 * chain, which bends, leans 1.15 times as far.
 *
 * @param pixels distance from where it hangs to its middle, as it hangs still, px.
 * @param expected ratio of the lean of the mask to the angle of its middle from straight below, both small.
 * @param otherCause sentence that names what else it may be.
 */
export const leanCheck = (track: Track, pixels: number, expected: number, otherCause: string): Check<Posterior> => ({
  kind: 'check',
  rank: 55,
  isCritical: true,
  find: () => {
    const whole = track.points.flatMap(({ x, blob }) =>
      blob?.isWhole ? [{ x, lean: Math.sin(Math.atan2(2 * blob.xy, blob.yy - blob.xx) / 2) }] : [],
    );
    if (whole.length < FEWEST) return null;
    const found = linearLeastSquares(
      whole.map(({ x }) => [1, x / pixels]),
      whole.map(({ lean }) => lean),
    );
    const mean = whole.reduce((sum, { lean }) => sum + lean / whole.length, 0);
    const scatter = Math.sqrt(whole.reduce((sum, { lean }) => sum + (lean - mean) ** 2 / whole.length, 0));
    if (!found || scatter < LEAST) return null;
    const ratio = found[1] / expected;
    if (ratio < MAX_LEAN_RATIO && ratio > 1 / MAX_LEAN_RATIO) return null;
    return {
      note: `Its mask leans ${found[1].toFixed(2)} times as far as its middle swings, where it should ${expected.toFixed(2)} times. ${otherCause}`,
    };
  },
});
