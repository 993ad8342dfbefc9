/** Accuracy of outlines obtained from masks. "Known films" are those of docs/lab/known-films.md. */
export const MASKS = {
  /**
   * Uncertainty of an outline's middle and size in one frame, px. Origin: judged, an anti-aliased rim is known to a
   * fraction of a pixel.
   */
  outline: 0.2,
  /**
   * Least part of that uncertainty, however smoothly outlines of a clean film follow the model: colours of 8 bits and their
   * compression move a rim by some hundredths of a pixel. Origin: judged; drawn films without noise are 1/60 off.
   */
  least: 0.1,
  /**
   * Additional uncertainty as a fraction of the displacement between neighbouring frames: blur hides the edge. Origin:
   * judged.
   */
  blur: 0.1,
  /**
   * Uncertainty of a reach in one direction, px. Origin: known boxes of seed 1; shadows and highlights displace single
   * reaches.
   */
  reach: 1.5,
  /**
   * Factor on the uncertainty of each reach of an outline whose overall uncertainty is known: the 24 reaches hold about
   * 3 independent errors, so about the square root of 24 / 3. Origin: judged.
   */
  reachesTogether: 3,
  /**
   * Standard deviation of the error common to all frames' outlines, px: masks treat rims, shading and shadows alike in
   * each frame. Origin: known films of seed 1, where 0.3 left 106 of 120 estimates within two standard errors, and this
   * value 112.
   */
  shift: 0.5,
  /** Constant part of the standard deviation of a clearly visible rim, px. Origin: judged. */
  rim: 0.4,
  /**
   * Part of a visible rim's standard deviation that is proportional to the outline's size: a dark side, or a foot in
   * shadow, has no sharp rim. Origin: judged.
   */
  rimPerSize: 0.025,
  /**
   * Maximum median error of reaches, in units of the rim's standard deviation, for which an outline still has the
   * model's shape. Origin: known films of seed 1, so that a prism of five sides in place of a disc is detected; in seed
   * 2 it detected 12 of 12 spoiled films, and none of 30 good ones.
   */
  mostOffShape: 1.13,
} as const;
