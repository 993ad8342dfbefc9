/**
 * Round of a fit: the finite-difference step, px, large at first to reach distant edges, the residual light at which a pixel's
 * weight is a quarter, and the stride of compared columns.
 */
export type BeamRound = readonly [step: number, robustScale: number, stride: number];

/**
 * Tuned numbers for fitting beams. "Known beams" are films of docs/lab/known-films.md: the numbers were tuned on seeds
 * 1 and 7. On seed 9, not used for tuning, 18 of 24 moduli and 23 of 24 damping ratios lay within two standard errors.
 */
export const BEAM = {
  /**
   * Margins, px: around the straight beam, for the part of the picture that is read; above and below the bent beam, for
   * the pixels compared. Origin: judged.
   */
  margin: 24,
  beside: 5,
  /**
   * Range of the beam's length that is compared, as fractions: the clamp hides the beginning, and the end moves inwards
   * as the beam bends.
   */
  parts: [0.1, 0.96],
  /** Minimum number of columns of the picture in which the beam is seen. Origin: judged. */
  narrowest: 4,
  /**
   * Rounds of the first fit, which only gives a start for the second, and of the second. A finer stride than 2 adds little,
   * since an encoder's blocks are larger; 4 in the first moves heights by a twentieth of their uncertainty.
   */
  far: [
    [3, 1, 4],
    [3, 1, 4],
    [2, 0.5, 4],
    [1, 0.3, 4],
    [0.5, 0.15, 4],
  ] satisfies BeamRound[],
  near: [
    [0.5, 0.15, 2],
    [0.25, 0.1, 2],
    [0.25, 0.1, 2],
    [0.25, 0.1, 2],
  ] satisfies BeamRound[],
  /**
   * Frames from which the exposure time is fitted: minimum displacement of the free end per frame, px, and their
   * maximum number. Origin: judged.
   */
  fast: 3,
  mostFast: 12,
  /**
   * Fraction of unexplained pixels above which bends over the whole range are tried, and the range: displacements of
   * the free end up to this fraction of the length. Origin: judged.
   */
  mostOutliers: 0.15,
  farthest: 0.5,
  /**
   * Excess of a frame's unexplained fraction over the median above which something else hides the beam there. Origin:
   * judged.
   */
  hidden: 0.06,
  /**
   * Uncertainty of an outline's height: constant, px, and per px of its displacement in a frame. Origin: known beams,
   * whose heights scatter by 0.01 to 0.05 px.
   */
  uncertainty: 0.03,
  perWay: 0.01,
  /**
   * Uncertainty of heights per px of their scatter about a swing. What scatters them, an encoder, also holds small swings back, alike
   * in all frames, which looks like damping. Origin: 14 known beams, seeds 6203 and 7411, all found too damped, by up to 3.1 standard
   * errors without this; of two of these, encoded almost without loss, by 0.3 at most.
   */
  perScatter: 2,
  /**
   * Finite-difference step of a blur's variance, px^2; and bounds of the exposure time, as a fraction of the frame
   * interval, and of a frame's additional blur variance relative to frame 0, px^2.
   */
  blur: { step: 0.3, shutter: [0, 1], soft: [-2, 16] },
  /** Finite-difference step of bends, m. */
  bendStep: 1e-3,
  /** Number of intervals along the beam between points at which it is computed. */
  stations: 100,
  /** Displacement during the exposure below which a column is not blurred, px. */
  sharp: 0.25,
  /**
   * Minimum number of frames to which a swing is fitted, more than its three unknowns; and the decays that are tried:
   * exponents per period.
   */
  fewestOfSwing: 5,
  decays: Array.from({ length: 61 }, (_, k) => k / 60),
} as const;
