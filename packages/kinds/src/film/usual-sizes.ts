import { linearLeastSquares, median, sumOfProducts } from '@gradsim/base';
import { type Film, type ObservedOutline, observedOutlines } from '@gradsim/film';
import type { Track } from '@gradsim/video';

type Outlines = readonly (ObservedOutline | undefined)[];

/**
 * Relative deviation of a size from the usual one that is always allowed; and that in units of the median deviation. Origin: sizes of
 * whole masks of known carts and discs scatter by 0.5 %, those that lack a wheel or have a rim are off by 5 to 20 %.
 */
const ALLOWED = { part: 0.015, medians: 4 };
/** Times that the weights of the fit are set anew. */
const ROUNDS = 20;

/** Outlines of the masks of a track, by frame, {@link withUsualSizes}. */
export const outlinesOfUsualSize = (film: Film, track: Track): Outlines =>
  withUsualSizes(observedOutlines(film, track));

/**
 * Outlines of a thing whose size in the picture changes slowly, without those of masks that lack a part of it, or hold a part of
 * something else: these sizes are far from a quadratic in time through most others, of least absolute deviations.
 */
export function withUsualSizes(outlines: Outlines): Outlines {
  const seen = outlines.flatMap((outline, frame) =>
    outline
      ? [{ powers: [1, frame, frame ** 2].map((x, k) => x / outlines.length ** k), log: Math.log(outline.size) }]
      : [],
  );
  if (seen.length === 0) return outlines;
  const usual = median(seen.map(({ log }) => log));
  let off = seen.map(({ log }) => log - usual);
  for (let round = 0; round < ROUNDS; round++) {
    const roots = off.map((d) => 1 / Math.sqrt(Math.max(Math.abs(d), ALLOWED.part / ALLOWED.medians)));
    const found = linearLeastSquares(
      seen.map(({ powers }, k) => powers.map((x) => roots[k] * x)),
      seen.map(({ log }, k) => roots[k] * log),
    );
    if (!found) return outlines;
    off = seen.map(({ powers, log }) => log - sumOfProducts(powers, found));
  }
  const most = Math.max(ALLOWED.part, ALLOWED.medians * median(off.map(Math.abs)));
  let k = 0;
  return outlines.map((outline) => (outline && Math.abs(off[k++]) <= most ? outline : undefined));
}
