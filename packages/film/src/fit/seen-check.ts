import { upperMedian } from '@gradsim/base';
import type { Check, Posterior } from '@gradsim/optim';
import { rimError } from '../outlines/observation.ts';
import type { ObservedOutline } from '../outlines/observed.ts';
import { DIRECTIONS } from '../outlines/reach.ts';
import { MASKS } from '../tuning/masks.ts';
import { PICTURES } from '../tuning/pictures.ts';

type OutlinesByFrame = readonly (ObservedOutline | null | undefined)[];

/**
 * Check that what moves is the thing and nothing else: it is found in the frames in which it is expected, and its masks have its
 * shape.
 *
 * @param thing with its article, as in "a ball".
 * @param otherShape words for what has another shape, as in "not round".
 * @param expected outlines of masks, by frame.
 * @param outlines those fitted to the pixels.
 */
export function seenCheck(
  thing: string,
  otherShape: string,
  expected: OutlinesByFrame,
  outlines: OutlinesByFrame,
): Check<Posterior> {
  const note = noteOn(thing, otherShape, expected, outlines);
  return { kind: 'other shape', rank: 50, isCritical: true, find: () => note !== undefined && { note } };
}

function noteOn(
  thing: string,
  otherShape: string,
  near: OutlinesByFrame,
  outlines: OutlinesByFrame,
): string | undefined {
  const expected = near.flatMap((seen, frame) => (seen ? [frame] : []));
  const lost = expected.filter((frame) => !outlines[frame]);
  if (lost.length > PICTURES.mostUnseen * expected.length) {
    const [first, last] = [lost[0], lost[lost.length - 1]];
    return `In ${lost.length} of ${expected.length} frames in which something moves, among frames ${first} to ${last}, it is not ${thing} alone: another thing passes, or its mask is wrong. Look at them by \`gradsim look\`, and leave them out by \`first\` and \`last\` or a region.`;
  }
  const off = offShape(near, outlines);
  if (off !== undefined)
    return `What moves is ${otherShape}: half of the rim of its masks, where it is slow, is off by more than ${off.toFixed(2)} pixels. It is something else, or its mask is wrong: look at both in the report.`;
  return undefined;
}

/**
 * Typical distance of the masks' rims from the fitted outlines, px, in the slower half of the frames, since blur
 * elongates masks; undefined if it does not exceed the error of a rim. Differences in size or middle do not count.
 */
function offShape(near: OutlinesByFrame, outlines: OutlinesByFrame): number | undefined {
  const compared = near.flatMap((seen, frame) => {
    const found = outlines[frame];
    return seen?.reaches && found?.reaches
      ? [{ found, off: seen.reaches.map((reach, k) => reach - found.reaches![k]) }]
      : [];
  });
  // Slow frames have the smaller uncertainties.
  const slow = compared
    .sort((a, b) => a.found.uncertainty! - b.found.uncertainty!)
    .slice(0, Math.ceil(compared.length / 2));
  const off = slow.flatMap(({ found, off }) => {
    const share = (part: (direction: readonly [number, number]) => number, norm: number): number =>
      DIRECTIONS.reduce((sum, direction, k) => sum + (part(direction) * off[k]) / norm, 0);
    const [more, right, down] = [
      share(() => 1, DIRECTIONS.length),
      share(([u]) => u, DIRECTIONS.length / 2),
      share(([, v]) => v, DIRECTIONS.length / 2),
    ];
    const rim = rimError(found.size);
    return off.map((o, k) => Math.abs(o - more - right * DIRECTIONS[k][0] - down * DIRECTIONS[k][1]) / rim);
  });
  const usual = upperMedian(off);
  if (off.length === 0 || usual <= MASKS.mostOffShape) return undefined;
  return usual * rimError(slow[slow.length >> 1].found.size);
}
