import { upperMedian } from '@gradsim/base';
import type { Check, Posterior } from '@gradsim/optim';
import { rimError } from '../../outlines/observation.ts';
import type { ObservedOutline } from '../../outlines/observed.ts';
import { DIRECTIONS } from '../../outlines/reach.ts';
import { MASKS } from '../../tuning/masks.ts';
import { PICTURES } from '../../tuning/pictures.ts';

type OutlinesByFrame = readonly (ObservedOutline | null | undefined)[];

/**
 * Check that the moving thing is a single ball: it is found in the frames in which it is expected, and its masks are
 * round.
 */
export function roundnessCheck(expected: OutlinesByFrame, outlines: OutlinesByFrame): Check<Posterior> {
  const note = noteOn(expected, outlines);
  return { kind: 'check', rank: 80, isCritical: true, find: () => note !== undefined && { note } };
}

function noteOn(near: OutlinesByFrame, outlines: OutlinesByFrame): string | undefined {
  const expected = near.flatMap((seen, frame) => (seen ? [frame] : []));
  const lost = expected.filter((frame) => !outlines[frame]);
  if (lost.length > PICTURES.mostUnseen * expected.length) {
    const [first, last] = [lost[0], lost[lost.length - 1]];
    return `In ${lost.length} of ${expected.length} frames in which something moves, among frames ${first} to ${last}, it is not a ball alone: another thing passes, or its mask is wrong. Look at them by \`gradsim look\`, and leave them out by \`first\` and \`last\` or a region.`;
  }
  const notRound = offRound(near, outlines);
  if (notRound !== undefined)
    return `What moves is not round: half of the rim of its masks, where it is slow, is off that of a ball by more than ${notRound.toFixed(2)} pixels. It is something else, or its mask is wrong: look at both in the report.`;
  return undefined;
}

/**
 * Typical distance of the masks' rims from the ball's outline, px, in the slower half of the frames, since blur
 * elongates masks; undefined if it does not exceed the error of a rim. Differences in size or middle do not count.
 */
function offRound(near: OutlinesByFrame, outlines: OutlinesByFrame): number | undefined {
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
