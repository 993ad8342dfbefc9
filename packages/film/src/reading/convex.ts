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
    for (const part of partsOf(mask, width, height)) fillHull(filled, part, width);
    return filled;
  });
}

/** Groups of pixels that are at least half covered; groups with small gaps between them are joined. */
function partsOf(mask: Float32Array, width: number, height: number): number[][] {
  const isOpen = new Uint8Array(mask.length);
  for (let p = 0; p < mask.length; p++) isOpen[p] = Number(mask[p] >= 0.5);
  const parts: number[][] = [];
  for (let first = isOpen.indexOf(1); first >= 0; first = isOpen.indexOf(1, first)) {
    isOpen[first] = 0;
    const part = [first];
    for (const p of part) {
      const [x, y] = [p % width, Math.floor(p / width)];
      const [right, bottom] = [Math.min(width - 1, x + MAX_GAP), Math.min(height - 1, y + MAX_GAP)];
      for (let row = Math.max(0, y - MAX_GAP); row <= bottom; row++)
        for (let column = Math.max(0, x - MAX_GAP); column <= right; column++) {
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
function fillHull(picture: Float32Array, part: readonly number[], width: number): void {
  const hull = hullOf(endsOfRows(part, width));
  if (hull.length < 3) return;
  const rows = hull.map(([, y]) => y);
  const bottom = Math.max(...rows);
  for (let y = Math.min(...rows); y <= bottom; y++) {
    const crossings = hull.flatMap(([a, b], k) => {
      const [c, d] = hull[(k + 1) % hull.length];
      if (b === d) return b === y ? [a, c] : [];
      const part = (y - b) / (d - b);
      return part >= 0 && part <= 1 ? [a + part * (c - a)] : [];
    });
    const [left, right] = [Math.ceil(Math.min(...crossings)), Math.floor(Math.max(...crossings))];
    picture.fill(1, y * width + left, y * width + right + 1);
  }
}

/** First and last pixel of each row of a part, as columns and rows: its hull is theirs. */
function endsOfRows(part: readonly number[], width: number): [number, number][] {
  const ends = new Map<number, [first: number, last: number]>();
  for (const p of part) {
    const [x, y] = [p % width, Math.floor(p / width)];
    const own = ends.get(y);
    if (own) {
      own[0] = Math.min(own[0], x);
      own[1] = Math.max(own[1], x);
    } else ends.set(y, [x, x]);
  }
  return [...ends].flatMap(([y, own]) => own.map((x): [number, number] => [x, y]));
}
