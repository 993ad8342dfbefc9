/** How well masks tell outlines. "Known films" are those of docs/lab/known-films.md. */
export const MASKS = {
  /** Uncertainty of middle and size in one frame, px. Origin: judged, an anti-aliased rim is known to a part of a pixel. */
  outline: 0.2,
  /** The same as a part of the way to the frames beside it: blur hides the edge. Origin: judged. */
  blur: 0.1,
  /** Uncertainty of a reach in one direction, px. Origin: known boxes of seed 1; shadows and highlights pull single reaches. */
  reach: 1.5,
  /**
   * Factor for reaches of an outline that is known as a whole: some 3 independent ways to err for 24 reaches, so the root of 8.
   * Origin: judged.
   */
  reachesTogether: 3,
  /**
   * Prior of what the outlines of all frames err alike, px: masks take rims, shading and shadows the same way in each.
   * Origin: known films of seed 1, where 0.3 left 106 of 120 estimates within two standard errors and this left 112.
   */
  shift: 0.5,
  /** Error of a well seen rim, px. Origin: judged. */
  rim: 0.4,
  /** The same as a part of the outline's size: a dark side, or a foot in shadow, has no sharp rim. Origin: judged. */
  rimPerSize: 0.025,
  /**
   * Largest usual error of a reach, in units of both, that is still the model's shape. Origin: known films of seed 1, so that
   * a prism of five sides in place of a disc is named; in seed 2 it named 12 of 12 spoiled films and none of 30 good ones.
   */
  mostOffShape: 1.13,
} as const;
