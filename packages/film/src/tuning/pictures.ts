/** Rounds of a fit to pixels: px over which rims are drawn soft, and the light at which a pixel's weight is a quarter. */
export type Round = readonly [soft: number, robustScale: number];

/** Tuned numbers of fits to pixels that all shapes share. Light is linear, 1 is white. "Known films": docs/lab/known-films.md. */
export const PICTURES = {
  /** Where the search for the shutter starts, part of a frame's time. Origin: the middle of 0.1 to 0.6. */
  shutter: 0.35,
  /** Blur that takes one more instant to draw, px, and the most instants. Origin: judged. */
  pixelsPerInstant: 1.5,
  mostInstants: 16,
  /** Most of a thing's pixels that may look like what is behind it. Origin: judged. */
  mostBackground: 0.5,
  /** Most of the frames in which a thing is expected and not found. Origin: judged; films of that thing alone have none. */
  mostUnseen: 0.1,
  /**
   * How many times the scatter of single pixels an outline errs: an encoder's pixels err together, and light is not quite what
   * the model says. Origin: known balls and beams of seeds 1 and 7, so that estimates lie within two standard errors.
   */
  scatterFactor: 7,
  /** Residual light above which a pixel is not explained by the thing. Origin: judged, five times the noise. */
  outlier: 0.1,
  /** Noise of a pixel, light. Origin: judged. */
  noise: 0.02,
  /** Px by which an edge of colour may be off its edge of light. Origin: films store colour for two by two pixels together. */
  chromaShift: 1,
  /** Added to the normal equations of colours, so that sides that are hardly seen stay determined. Pixels. */
  ridge: 1e-3,
  /** A shadow leaves at least and at most such a part of the light, and colours alike to so much light. Origin: judged. */
  shadow: { darkest: 0.2, brightest: 1.1, colour: 0.05 },
  /** Pixels by which shadows beside a thing are continued behind its rim, beyond its softness. Origin: judged. */
  shadowInwards: 4,
} as const;
