/** Assumed standard deviation of a pixel's noise, compression included, in linear light from 0 to 1. */
const COLOUR_NOISE = 0.01;
/** Assumed standard deviation of the brightness factor of an object at its edge, or of the background in a shadow. */
const SHADING_DEVIATION = 0.3;

/** Two estimates of the fraction of a pixel that an object covers, in [0, 1]. */
export interface CoveredFraction {
  /**
   * Fraction if brightness is free: an object's edge may be darker than its inside, and the background may be in
   * shadow.
   */
  readonly fraction: number;
  /** Fraction if the brightness of object and background is fixed. */
  readonly fractionAtFixedBrightness: number;
}

/**
 * Estimates the fraction of a pixel that an object covers. Its light is modelled as a times the object's plus b times
 * the background's, in least squares, and the fraction is a / (a + b), so that shading and shadow, which make a + b
 * less than 1, cancel. The prior is a + b = 1 with standard deviation `SHADING_DEVIATION`; it decides if object and background
 * have the same colour and differ only in brightness.
 *
 * @param object colour of the object.
 * @param at index of the pixel's first colour in `seen` and `ground`.
 */
export function coveredFraction(
  seen: Float32Array,
  object: Float64Array,
  ground: Float32Array,
  at = 0,
): CoveredFraction {
  const prior = (COLOUR_NOISE / SHADING_DEVIATION) ** 2;
  let [oo, og, gg, os, gs] = [prior, prior, prior, prior, prior];
  let [along, span] = [0, 0];
  for (let c = 0; c < object.length; c++) {
    const [own, light, behind] = [object[c], seen[at + c], ground[at + c]];
    oo += own * own;
    og += own * behind;
    gg += behind * behind;
    os += own * light;
    gs += behind * light;
    along += (light - behind) * (own - behind);
    span += (own - behind) ** 2;
  }
  const determinant = oo * gg - og * og;
  const a = (os * gg - gs * og) / determinant;
  const b = (gs * oo - os * og) / determinant;
  return {
    fraction: clampToUnit(a / Math.max(a + b, 1e-3)),
    fractionAtFixedBrightness: clampToUnit(along / Math.max(span, 1e-9)),
  };
}

const clampToUnit = (part: number): number => Math.min(Math.max(part, 0), 1);
