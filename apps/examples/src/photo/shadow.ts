import { upperMedian } from '@gradsim/numeric';
import type { Frames } from '@gradsim/video';
import { frameAt } from '@gradsim/video';

/** Fraction of the empty scene's brightness below which a pixel may be in shadow, in every channel. */
const DARKER = 0.9;
/** Minimum area of a shadow, px, from which the light's direction is estimated. */
const FEWEST_PIXELS = 20;

/**
 * Fraction of the light left where the sun does not reach the ground, red, green and blue, in parts of full light: the
 * median of what is darkened in the first frame away from the body, whose place is known there. White, [1, 1, 1], where
 * hardly anything is.
 *
 * @param film linear light, 3 channels.
 * @param plate one frame without the body, likewise.
 * @param body the part of each pixel of the first frame that the body covers, generously.
 */
export function shadowOf(film: Frames, plate: Frames, body: ArrayLike<number>): number[] {
  const first = frameAt(film, 0);
  const ratios: number[][] = [];
  for (let p = 0; p < body.length; p++) {
    const ratio = [0, 1, 2].map((c) => first[3 * p + c] / plate.data[3 * p + c]);
    if (body[p] < 0.01 && ratio.every((q) => q < DARKER)) ratios.push(ratio);
  }
  if (ratios.length < FEWEST_PIXELS) return [1, 1, 1];
  return [0, 1, 2].map((c) => upperMedian(ratios.map((ratio) => ratio[c])));
}
