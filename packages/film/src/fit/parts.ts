import { PICTURES } from '../tuning/pictures.ts';

/** A visible part of an object in a picture, such as a side of a box. */
export interface PartSeen {
  /** Fraction of each pixel that it covers through the exposure. */
  readonly cover: Float64Array;
  /**
   * Light patterns over it, beside the uniform one, each in a colour of its own. For the same pixels, within the cover.
   */
  readonly patterns: readonly Float64Array[];
}

/** Number of instants by which an exposure with this blur, px, is drawn. */
export const instantsOf = (blur: number): number =>
  Math.min(Math.max(Math.ceil(blur / PICTURES.pixelsPerInstant), 1), PICTURES.mostInstants);

/** Fraction of each pixel that several parts cover together. */
export function coveredBy(
  parts: readonly PartSeen[],
  pixels: number,
  into: Float64Array = new Float64Array(pixels),
): Float64Array {
  into.fill(0);
  for (const { cover } of parts) for (let p = 0; p < pixels; p++) into[p] += cover[p];
  return into;
}
