import { upperMedian } from '@gradsim/base';
import type { Frames } from '@gradsim/video';
import { frameAt } from '@gradsim/video';

/** Fraction of the empty scene's brightness below which a pixel counts as in shadow, if every channel is below it. */
const MAX_SHADOW_RATIO = 0.9;
/** Minimum number of pixels in shadow from which the light left in it is measured. */
const FEWEST_PIXELS = 20;

/**
 * Fraction of full light that remains in the body's shadow on the ground, red, green and blue: the median over the
 * pixels of the first frame that are darkened and away from the body, whose pose is known there. [1, 1, 1] if hardly
 * any pixel is.
 *
 * @param film linear light, 3 channels.
 * @param plate one frame without the body, linear light, 3 channels.
 * @param body an upper bound of the fraction of each pixel that the body covers in the first frame.
 */
export function shadowOf(film: Frames, plate: Frames, body: ArrayLike<number>): number[] {
  const first = frameAt(film, 0);
  const ratios: number[][] = [];
  for (let p = 0; p < body.length; p++) {
    const ratio = [0, 1, 2].map((c) => first[3 * p + c] / plate.data[3 * p + c]);
    if (body[p] < 0.01 && ratio.every((q) => q < MAX_SHADOW_RATIO)) ratios.push(ratio);
  }
  if (ratios.length < FEWEST_PIXELS) return [1, 1, 1];
  return [0, 1, 2].map((c) => upperMedian(ratios.map((ratio) => ratio[c])));
}
