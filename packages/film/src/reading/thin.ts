import type { Frames, WorkSteps } from '@gradsim/video';
import { changeMasks, runSteps } from '@gradsim/video';

/** Radius up to which parts of a mask count as thin, relative to the largest circle that fits into the mask. */
const MAX_THIN_RATIO = 0.5;
/** Value from which a pixel of a mask is inside. */
const INSIDE_VALUE = 0.5;
/** Width of the mask's rim that is kept around these circles, px. */
const RIM_WIDTH = 1.5;

/**
 * Masks without their thin parts, such as the rod of a pendulum: the union of all circles within the mask of half the
 * radius of the largest one, with a rim around them (a morphological opening).
 *
 * @param masks one channel.
 */
export function withoutThinParts(masks: Frames): Frames {
  return runSteps(thinSteps(masks));
}

/** Does the work of {@link withoutThinParts} in steps. */
export function thinSteps(masks: Frames): WorkSteps<Frames> {
  const { width, height } = masks;
  return changeMasks(masks, (mask) => {
    const kept = new Float32Array(mask.length);
    const box = boxOf(mask, width, height);
    if (!box) return kept;
    // The nearest pixel outside of the mask lies at most one pixel beyond the box.
    const near = growDiscs(box, 1, width, height);
    const deep = squaredDistancesToSelected(near, (x, y) => !(mask[y * width + x] >= INSIDE_VALUE));
    let deepest = 0;
    for (const d of deep) if (d > deepest) deepest = d;
    const least = MAX_THIN_RATIO * Math.sqrt(deepest);
    const wide = growDiscs(box, Math.ceil(least + RIM_WIDTH), width, height);
    const isCore = (x: number, y: number): boolean => {
      if (x < near.left || x >= near.right || y < near.top || y >= near.bottom) return false;
      const d = deep[(y - near.top) * (near.right - near.left) + x - near.left];
      return d > 0 && Math.sqrt(d) >= least;
    };
    const away = squaredDistancesToSelected(wide, isCore);
    for (let y = wide.top, k = 0; y < wide.bottom; y++)
      for (let x = wide.left; x < wide.right; x++, k++) {
        const p = y * width + x;
        if (Math.sqrt(away[k]) <= least + RIM_WIDTH) kept[p] = mask[p];
      }
    return kept;
  });
}

/** Rectangle of pixels, from `left` and `top` to before `right` and `bottom`. */
interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Smallest rectangle around the pixels inside a mask; undefined if there are none. */
function boxOf(mask: Float32Array, width: number, height: number): Box | undefined {
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0, p = 0; y < height; y++)
    for (let x = 0; x < width; x++, p++) {
      if (!(mask[p] >= INSIDE_VALUE)) continue;
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
      top = Math.min(top, y);
      bottom = y + 1;
    }
  return right > 0 ? { left, top, right, bottom } : undefined;
}

/** The rectangle with a margin of pixels around it, as far as the picture goes. */
const growDiscs = ({ left, top, right, bottom }: Box, by: number, width: number, height: number): Box => ({
  left: Math.max(0, left - by),
  top: Math.max(0, top - by),
  right: Math.min(width, right + by),
  bottom: Math.min(height, bottom + by),
});

/**
 * Squared distance of every pixel of a rectangle to the nearest selected one in it, px^2, row after row: within rows, then
 * within columns as the lower envelope of parabolas (P. Felzenszwalb, D. Huttenlocher, 2012). Far above the rectangle's
 * size where none is selected.
 */
function squaredDistancesToSelected(
  { left, top, right, bottom }: Box,
  isSelected: (x: number, y: number) => boolean,
): Float64Array {
  const [width, height] = [right - left, bottom - top];
  const far = 2 * (width + height);
  const out = new Float64Array(width * height);
  for (let y = 0; y < height; y++) {
    const row = out.subarray(y * width, (y + 1) * width);
    for (let x = 0, d = far; x < width; x++) {
      d = isSelected(left + x, top + y) ? 0 : Math.min(d + 1, far);
      row[x] = d;
    }
    for (let x = width - 1, d = far; x >= 0; x--) {
      d = Math.min(d + 1, row[x]);
      row[x] = d * d;
    }
  }
  const line = new Float64Array(height);
  const parabolas = new Int32Array(height);
  const ends = new Float64Array(height);
  for (let x = 0; x < width; x++) {
    for (let q = 0; q < height; q++) line[q] = out[q * width + x];
    let count = 1;
    parabolas[0] = 0;
    ends[0] = Number.NEGATIVE_INFINITY;
    for (let q = 1; q < height; q++) {
      for (;;) {
        const v = parabolas[count - 1];
        const crossing = (line[q] + q * q - line[v] - v * v) / (2 * (q - v));
        if (crossing > ends[count - 1]) {
          parabolas[count] = q;
          ends[count++] = crossing;
          break;
        }
        count--;
      }
    }
    for (let q = 0, k = 0; q < height; q++) {
      while (k + 1 < count && ends[k + 1] < q) k++;
      out[q * width + x] = (q - parabolas[k]) ** 2 + line[parabolas[k]];
    }
  }
  return out;
}
