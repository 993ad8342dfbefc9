import { linearLeastSquares, sumOfProducts, upperMedian } from '@gradsim/base';
import type { Check, Posterior } from '@gradsim/optim';
import { rimError } from '../outlines/observation.ts';
import type { ObservedOutline } from '../outlines/observed.ts';
import { DIRECTIONS } from '../outlines/reach.ts';
import { MASKS } from '../tuning/masks.ts';
import { PICTURES } from '../tuning/pictures.ts';

/** Number of least-squares fits of which the last has the least sum of magnitudes. */
const ROUNDS = 8;

/** A point of a mask's rim, seen from the middle of the outline fitted to the pixels. */
export interface RimPoint {
  readonly direction: readonly [number, number];
  /** Distance from the outline, px, outwards. */
  readonly off: number;
  /** The point midway between it and the outline, px. */
  readonly between: readonly [number, number];
}

type TellsShape = (frame: number, point: RimPoint, outline: ObservedOutline) => boolean;
type OutlinesByFrame = readonly (ObservedOutline | null | undefined)[];

/**
 * Check that what moves is the thing and nothing else: it is found in the frames in which it is expected, and its masks have its
 * shape.
 *
 * @param thing with its article, as in "a ball".
 * @param otherShape words for what has another shape, as in "not round".
 * @param expected outlines of masks, by frame.
 * @param outlines those fitted to the pixels.
 * @param tellsShape whether a point of a mask's rim is the thing's: it is not where the mask is cut, or has a shadow. Default: always.
 */
export function seenCheck(
  thing: string,
  otherShape: string,
  expected: OutlinesByFrame,
  outlines: OutlinesByFrame,
  tellsShape: TellsShape = () => true,
): Check<Posterior> {
  const note = noteOn(thing, otherShape, expected, outlines, tellsShape);
  return { kind: 'other shape', rank: 50, isCritical: true, find: () => note !== undefined && { note } };
}

function noteOn(
  thing: string,
  otherShape: string,
  near: OutlinesByFrame,
  outlines: OutlinesByFrame,
  tellsShape: TellsShape,
): string | undefined {
  const expected = near.flatMap((seen, frame) => (seen ? [frame] : []));
  const lost = expected.filter((frame) => !outlines[frame]);
  if (lost.length > PICTURES.mostUnseen * expected.length) {
    const [first, last] = [lost[0], lost[lost.length - 1]];
    return `In ${lost.length} of ${expected.length} frames in which something moves, among frames ${first} to ${last}, it is not ${thing} alone: another thing passes, or its mask is wrong. Look at them by \`gradsim look\`, and leave them out by \`first\` and \`last\` or a region.`;
  }
  const off = offShape(near, outlines, tellsShape);
  if (off !== undefined)
    return `What moves is ${otherShape}: half of the rim of its masks, where it is slow, is off by more than ${off.toFixed(2)} pixels. It is something else, or its mask is wrong: look at both in the report.`;
  return undefined;
}

/**
 * Typical distance of the masks' rims from the fitted outlines, px, in the slower half of the frames, since blur
 * elongates masks; undefined if it does not exceed the error of a rim. Differences in size or middle do not count, nor
 * points that do not tell the shape, unless most do not.
 */
function offShape(near: OutlinesByFrame, outlines: OutlinesByFrame, tellsShape: TellsShape): number | undefined {
  const compared = near.flatMap((seen, frame) => {
    const found = outlines[frame];
    return seen?.reaches && found?.reaches ? [{ frame, seen, found }] : [];
  });
  // Slow frames have the smaller uncertainties.
  const slow = compared
    .sort((a, b) => a.found.uncertainty! - b.found.uncertainty!)
    .slice(0, Math.ceil(compared.length / 2));
  const off = slow.flatMap(({ frame, seen, found }) => {
    const rim = rimError(found.size);
    const all = rimPoints(seen, found);
    const own = all.filter((point) => tellsShape(frame, point, found));
    return withoutSizeAndMiddle(2 * own.length < all.length ? all : own, rim).map(
      (distance) => Math.abs(distance) / rim,
    );
  });
  const usual = upperMedian(off);
  if (off.length === 0 || usual <= MASKS.mostOffShape) return undefined;
  return usual * rimError(slow[slow.length >> 1].found.size);
}

/** Points of a mask's rim, one for each of its reaches. */
function rimPoints(seen: ObservedOutline, { x, y, reaches }: ObservedOutline): RimPoint[] {
  return DIRECTIONS.map(([u, v], k) => {
    const [right, down] = [seen.x + seen.reaches![k] * u - x, seen.y + seen.reaches![k] * v - y];
    const far = Math.hypot(right, down);
    const turn = (Math.atan2(down, right) / (2 * Math.PI) + 1) * DIRECTIONS.length;
    const part = turn - Math.floor(turn);
    const [reach, next] = [0, 1].map((more) => reaches![(Math.floor(turn) + more) % DIRECTIONS.length]);
    const off = far - (1 - part) * reach - part * next;
    const direction = [right / far, down / far] as const;
    const middle = far - off / 2;
    return { off, direction, between: [x + middle * direction[0], y + middle * direction[1]] };
  });
}

/**
 * Distances minus those that a larger or smaller outline elsewhere would have, so that the sum of their magnitudes is least:
 * a part of the rim that is far off, as of a cut mask, does not spoil the rest. By weights from the last residuals.
 */
function withoutSizeAndMiddle(rims: readonly RimPoint[], rim: number): number[] {
  const patterns = rims.map(({ direction: [u, v] }) => [1, u, v]);
  let left = rims.map(({ off }) => off);
  for (let round = 0; round < ROUNDS; round++) {
    const roots = left.map((own) => (round === 0 ? 1 : 1 / Math.sqrt(Math.max(Math.abs(own), rim / 4))));
    const found = linearLeastSquares(
      patterns.map((pattern, k) => pattern.map((part) => roots[k] * part)),
      rims.map(({ off }, k) => roots[k] * off),
    );
    if (!found) return left;
    left = rims.map(({ off }, k) => off - sumOfProducts(patterns[k], found));
  }
  return left;
}
