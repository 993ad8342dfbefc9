import type { Frames, WorkSteps } from '@gradsim/video';
import { changeMasks, runSteps } from '@gradsim/video';
import { hullOf } from '../outlines/hull.ts';

/**
 * Maximum gap between parts of one thing's mask, px: motion blur mixes the colours of two sides, and some mixtures
 * equal the background.
 */
const MAX_GAP = 3;

/**
 * Masks of convex things, such as boxes: neighbouring parts of a mask are joined, and their convex hull is filled. A
 * moving box of several colours has gaps in its mask where the blurred mixture of two of them looks like the
 * background.
 *
 * @param masks masks of one channel.
 */
export function convexMasks(masks: Frames): Frames {
  return runSteps(convexSteps(masks));
}

/** Does the work of {@link convexMasks} in steps. */
export function convexSteps(masks: Frames): WorkSteps<Frames> {
  const { width, height } = masks;
  return changeMasks(masks, (mask) => {
    const filled = mask.slice();
    for (const part of partsOf(mask, width, height)) fillHull(filled, part, width, height);
    return filled;
  });
}

/** Groups of pixels that are at least half covered; groups with small gaps between them are joined. */
function partsOf(mask: Float32Array, width: number, height: number): number[][] {
  const isOpen = Uint8Array.from(mask, (value) => Number(value >= 0.5));
  const parts: number[][] = [];
  for (let first = 0; first < isOpen.length; first++) {
    if (isOpen[first] === 0) continue;
    isOpen[first] = 0;
    const part = [first];
    for (const p of part) {
      const [x, y] = [p % width, Math.floor(p / width)];
      for (let row = Math.max(0, y - MAX_GAP); row <= Math.min(height - 1, y + MAX_GAP); row++)
        for (let column = Math.max(0, x - MAX_GAP); column <= Math.min(width - 1, x + MAX_GAP); column++) {
          const q = row * width + column;
          if (isOpen[q] === 0) continue;
          isOpen[q] = 0;
          part.push(q);
        }
    }
    parts.push(part);
  }
  return parts;
}

/** Sets the mask to 1 for every pixel whose centre is within the convex hull of a part's pixel centres. */
function fillHull(picture: Float32Array, part: readonly number[], width: number, height: number): void {
  const hull = hullOf(part.map((p) => [(p % width) + 0.5, Math.floor(p / width) + 0.5]));
  if (hull.length < 3) return;
  const rows = hull.map(([, y]) => y - 0.5);
  for (let row = Math.max(0, Math.min(...rows)); row <= Math.min(height - 1, Math.max(...rows)); row++) {
    const crossings = hull.flatMap(([a, b], k) => {
      const [c, d] = hull[(k + 1) % hull.length];
      const y = row + 0.5;
      if (b === d) return b === y ? [a, c] : [];
      const part = (y - b) / (d - b);
      return part >= 0 && part <= 1 ? [a + part * (c - a)] : [];
    });
    const [left, right] = [Math.min(...crossings), Math.max(...crossings)];
    for (let column = Math.ceil(left - 0.5); column <= Math.floor(right - 0.5); column++)
      picture[row * width + column] = 1;
  }
}
