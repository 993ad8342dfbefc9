import type { Frames } from '@gradsim/video';
import { frameAt, frameCount } from '@gradsim/video';

/** Radius up to which parts of a mask count as thin, relative to the largest circle that fits into the mask. */
const THIN = 0.5;
/** Width of the mask's rim that is kept around these circles, px. */
const RIM = 1.5;

/**
 * Masks without their thin parts, such as the rod of a pendulum: the union of all circles within the mask of half the
 * radius of the largest one, with a rim around them (a morphological opening).
 *
 * @param masks one channel.
 */
export function withoutThinParts(masks: Frames): Frames {
  const data = masks.data.slice();
  const { width, height } = masks;
  for (let f = 0; f < frameCount(masks); f++) {
    const mask = frameAt(masks, f);
    const deep = squaredDistances(mask, width, height, (value) => value < 0.5);
    let deepest = 0;
    for (const d of deep) if (d > deepest) deepest = d;
    const least = THIN * Math.sqrt(deepest);
    const core = Float32Array.from(deep, (d) => Number(Math.sqrt(d) >= least && d > 0));
    const away = squaredDistances(core, width, height, (value) => value === 1);
    const from = f * width * height;
    for (let p = 0; p < away.length; p++) if (!(Math.sqrt(away[p]) <= least + RIM)) data[from + p] = 0;
  }
  return { ...masks, data };
}

/**
 * Squared distance of every pixel to the nearest selected one, px^2: row by row, then column by column as the lower
 * envelope of parabolas (P. Felzenszwalb, D. Huttenlocher, 2012).
 */
function squaredDistances(
  picture: Float32Array,
  width: number,
  height: number,
  isWanted: (value: number) => boolean,
): Float64Array {
  const far = 4 * (width + height) ** 2;
  const out = Float64Array.from(picture, (value) => (isWanted(value) ? 0 : far));
  const pass = (first: number, step: number, count: number): void => {
    const line = Array.from({ length: count }, (_, k) => out[first + k * step]);
    const [parabolas, ends] = [[0], [Number.NEGATIVE_INFINITY]];
    for (let q = 1; q < count; q++) {
      for (;;) {
        const v = parabolas[parabolas.length - 1];
        const crossing = (line[q] + q * q - line[v] - v * v) / (2 * (q - v));
        if (crossing > ends[ends.length - 1]) {
          parabolas.push(q);
          ends.push(crossing);
          break;
        }
        parabolas.pop();
        ends.pop();
      }
    }
    for (let q = 0, k = 0; q < count; q++) {
      while (k + 1 < ends.length && ends[k + 1] < q) k++;
      out[first + q * step] = (q - parabolas[k]) ** 2 + line[parabolas[k]];
    }
  };
  for (let row = 0; row < height; row++) pass(row * width, 1, width);
  for (let column = 0; column < width; column++) pass(column, width, height);
  return out;
}
