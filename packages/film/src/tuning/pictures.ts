/** Round of a fit to pixels: softness of rims, px, and the residual light at which a pixel's weight is a quarter. */
export type Round = readonly [soft: number, robustScale: number];

/**
 * Tuned numbers for fits to pixels of all shapes. Light is linear; 1 is white. "Known films": docs/lab/known-films.md.
 */
export const PICTURES = {
  /**
   * Exposure time at which its search starts, as a fraction of the frame interval. Origin: the middle of 0.1 to 0.6.
   */
  shutter: 0.35,
  /** Blur, px, for which one more instant is drawn, and the maximum number of instants. Origin: judged. */
  pixelsPerInstant: 1.5,
  mostInstants: 16,
  /**
   * Maximum fraction of a thing's pixels that may look like the background, for a thing that counts as found. Origin:
   * judged.
   */
  mostBackground: 0.5,
  /**
   * Maximum fraction of frames in which an expected thing may be missing. Origin: judged; films of that thing alone
   * have none.
   */
  mostUnseen: 0.1,
  /**
   * Ratio of an outline's actual error to the standard deviation computed from independent pixels: the pixel errors of
   * an encoder are correlated, and the light model is not exact. Origin: known balls and beams of seeds 1 and 7, so
   * that estimates lie within two standard errors.
   */
  scatterFactor: 7,
  /**
   * Residual light at which the weight by which a pixel counts as explained is a quarter. Origin: judged, five times
   * the noise.
   */
  outlier: 0.1,
  /** Standard deviation of a pixel's noise, linear light. Origin: judged. */
  noise: 0.02,
  /**
   * Maximum offset of an edge in colour from the edge in luma, px. Origin: films store colour for blocks of two by two
   * pixels.
   */
  chromaShift: 1,
  /**
   * Value added to the diagonal of the normal equations of colours, so that hardly visible sides stay determined, px.
   */
  ridge: 1e-3,
  /**
   * Limits of a shadow: minimum and maximum ratio of its light to the background's, and maximum colour difference,
   * linear light. Origin: judged.
   */
  shadow: { darkest: 0.2, brightest: 1.1, colour: 0.05 },
  /**
   * Number of pixels wholly inside a thing from which on a few of them, about as many, are compared. Origin: films of balls of 14 to 29
   * px, whose outlines it moves by a fifth of their uncertainty, and estimates by a tenth of theirs.
   */
  inside: 100,
  /**
   * Distance by which shadows beside a thing are extrapolated behind its rim, in addition to the rim's softness, px.
   * Origin: judged.
   */
  shadowInwards: 4,
} as const;
