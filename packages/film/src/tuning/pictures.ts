/** Rounds of a fit to pixels: softness of rims, px, and the residual light at which a pixel's weight is a quarter. */
export type Round = readonly [soft: number, robustScale: number];

/** Tuned numbers of fits to pixels that all shapes share. Light is linear, 1 is white. "Known films": docs/lab/known-films.md. */
export const PICTURES = {
  /** Initial shutter of the search, fraction of a frame's time. Origin: the middle of 0.1 to 0.6. */
  shutter: 0.35,
  /** Blur per additional instant, px, and the maximum number of instants. Origin: judged. */
  pixelsPerInstant: 1.5,
  mostInstants: 16,
  /** Maximum fraction of a thing's pixels that may look like the background. Origin: judged. */
  mostBackground: 0.5,
  /**
   * Maximum fraction of frames in which an expected thing is not found. Origin: judged; films of that thing alone have
   * none.
   */
  mostUnseen: 0.1,
  /**
   * Ratio of an outline's error to the scatter of single pixels: an encoder's pixel errors are correlated, and the
   * light model is not exact. Origin: known balls and beams of seeds 1 and 7, so that estimates lie within two standard
   * errors.
   */
  scatterFactor: 7,
  /** Residual light above which a pixel is not explained by the thing. Origin: judged, five times the noise. */
  outlier: 0.1,
  /** Noise of a pixel, light. Origin: judged. */
  noise: 0.02,
  /**
   * Maximum offset of an edge of colour from its edge of light, px. Origin: films store colour for two by two pixels
   * together.
   */
  chromaShift: 1,
  /** Ridge added to the normal equations of colours, so that hardly visible sides stay determined, px. */
  ridge: 1e-3,
  /** Limits of a shadow: darkest and brightest fraction of the light, and colour difference, light. Origin: judged. */
  shadow: { darkest: 0.2, brightest: 1.1, colour: 0.05 },
  /** Distance by which shadows beside a thing are continued behind its rim, beyond its softness, px. Origin: judged. */
  shadowInwards: 4,
} as const;
