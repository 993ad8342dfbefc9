import { PICTURES } from '../tuning/pictures.ts';

/** A visible part of an object in a picture, such as a side of a box. */
export interface PartSeen {
  /** Fraction of each pixel that the part covers, averaged over the exposure. */
  readonly cover: Float64Array;
  /**
   * Light patterns of the part beside the uniform one, each with a colour of its own: values by pixel, 0 outside the
   * cover.
   */
  readonly patterns: readonly Float64Array[];
  /** Ridge of each pattern's colour, above that of all, px: keeps what is seldom there small. Default 0. */
  readonly ridges?: readonly number[];
}

/** Number of instants at which a thing is drawn to render an exposure with a displacement of `blur` px. */
export const instantsOf = (blur: number): number =>
  Math.min(Math.max(Math.ceil(blur / PICTURES.pixelsPerInstant), 1), PICTURES.mostInstants);

/** Writes the fraction of each pixel that several parts together cover. */
export function coveredBy(parts: readonly PartSeen[], into: Float64Array): Float64Array {
  into.fill(0);
  for (const { cover } of parts) for (let p = 0; p < into.length; p++) into[p] += cover[p];
  return into;
}
