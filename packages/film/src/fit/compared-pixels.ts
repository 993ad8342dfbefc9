import { PICTURES } from '../tuning/pictures.ts';
import type { PartSeen } from './parts.ts';
import type { CropRegion } from './pictures.ts';

/** Pixels of a picture that are compared with the drawing of a thing: those that it may cover. */
export interface ComparedPixels {
  /** Their indices in the picture. */
  readonly pixels: readonly number[];
  /** Number of pixels that each stands for: near a rim for itself, inside it for those around it. */
  readonly counts: Float64Array;
  /** Their weights in the fit of the thing's state: less than the counts of those inside. */
  readonly worth: Float64Array;
  /** 1 for each pixel of the picture that is compared, or that the thing does not cover. */
  readonly drawn: Uint8Array;
}

/**
 * Chooses the pixels that tell a thing's state. Only those near its rims do; those inside tell the colours, for which a few of
 * them, on a lattice, are enough.
 *
 * @param parts drawing of the thing, its rims wide enough for all states that are compared.
 * @param insideWorth weight of a pixel inside it, over that of one at a rim, where those inside are so many that a few are compared.
 * @param isCompared whether a pixel, by its index, is compared if the thing may cover it.
 */
export function comparedPixels(
  parts: readonly PartSeen[],
  { width, height }: CropRegion,
  insideWorth: number,
  isCompared: (pixel: number) => boolean,
): ComparedPixels {
  const states = new Uint8Array(width * height);
  for (const { cover } of parts)
    for (let p = 0; p < states.length; p++)
      if (cover[p] > 0 && states[p] !== INSIDE) states[p] = cover[p] > WHOLE ? INSIDE : PARTLY;
  let inside = 0;
  for (let p = 0; p < states.length; p++) if (states[p] === INSIDE) inside++;
  const spacing = Math.max(1, Math.floor(Math.sqrt(inside / PICTURES.inside)));
  const drawn = new Uint8Array(width * height).fill(1);
  const pixels: number[] = [];
  const counts: number[] = [];
  const worth: number[] = [];
  for (let p = 0; p < states.length; p++) {
    if (states[p] === 0) continue;
    const isInside = states[p] === INSIDE;
    const isLeftOut = isInside && ((p % width) % spacing !== 0 || Math.floor(p / width) % spacing !== 0);
    if (isLeftOut || !isCompared(p)) {
      drawn[p] = 0;
      continue;
    }
    pixels.push(p);
    const count = isInside ? spacing ** 2 : 1;
    counts.push(count);
    worth.push(count > 1 ? insideWorth * count : 1);
  }
  return { pixels, counts: Float64Array.from(counts), worth: Float64Array.from(worth), drawn };
}

/** Cover from which on a pixel counts as wholly covered: sums over instants round. */
const WHOLE = 1 - 1e-6;
const [PARTLY, INSIDE] = [1, 2];
