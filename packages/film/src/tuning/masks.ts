/** Accuracy of outlines from masks. "Known films" are those of docs/lab/known-films.md. */
export const MASKS = {
  /**
   * Uncertainty of middle and size in one frame, px. Origin: judged, an anti-aliased rim is known to a fraction of a
   * pixel.
   */
  outline: 0.2,
  /** Uncertainty as a fraction of the motion between neighbouring frames: blur hides the edge. Origin: judged. */
  blur: 0.1,
  /** Uncertainty of a reach in one direction, px. Origin: known boxes of seed 1; shadows and highlights pull single reaches. */
  reach: 1.5,
  /**
   * Factor for the reaches of an outline that is known as a whole: some 3 independent errors in 24 reaches, so the root
   * of 8. Origin: judged.
   */
  reachesTogether: 3,
  /**
   * Prior of the common error of all frames' outlines, px: masks treat rims, shading and shadows the same way in each.
   * Origin: known films of seed 1, where 0.3 left 106 of 120 estimates within two standard errors and this left 112.
   */
  shift: 0.5,
  /** Error of a clearly visible rim, px. Origin: judged. */
  rim: 0.4,
  /** Error as a fraction of the outline's size: a dark side, or a foot in shadow, has no sharp rim. Origin: judged. */
  rimPerSize: 0.025,
  /**
   * Maximum median error of a reach, in units of both, that still counts as the model's shape. Origin: known films of
   * seed 1, so that a prism of five sides in place of a disc is named; in seed 2 it named 12 of 12 spoiled films and
   * none of 30 good ones.
   */
  mostOffShape: 1.13,
} as const;
