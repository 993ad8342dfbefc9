import type { Round } from './pictures.ts';

/**
 * Tuned numbers of beams. "Known beams" are films of docs/lab/known-films.md: chosen by seeds 1 and 7. In seed 9, of which nothing was
 * chosen, 18 of 24 moduli and 23 of 24 damping ratios lay within two standard errors.
 */
export const BEAM = {
  /** Margins, px: around the straight beam, read; above and below the bent one, compared. Origin: judged. */
  margin: 24,
  beside: 5,
  /**
   * Part of the length that is compared, as fractions: the clamp hides its beginning, and the end comes nearer as it
   * bends.
   */
  parts: [0.1, 0.96],
  /** Stride of compared columns: an encoder's blocks are larger. */
  stride: 2,
  /**
   * Rounds of the first fit, whose first number is the step of differences, px: long at first, to reach distant edges.
   */
  far: [
    [3, 1],
    [3, 1],
    [2, 0.5],
    [1, 0.3],
    [0.5, 0.15],
  ] satisfies Round[],
  /** Rounds of the second fit. */
  near: [
    [0.5, 0.15],
    [0.25, 0.1],
    [0.25, 0.1],
  ] satisfies Round[],
  /**
   * Frames that determine the shutter: minimum motion of the end from frame to frame, px, and their number. Origin:
   * judged.
   */
  fast: 3,
  mostFast: 12,
  /** Maximum fraction of unexplained pixels before every bend is tried, up to parts of its length. Origin: judged. */
  mostOutliers: 0.15,
  farthest: 0.5,
  /** Excess of the unexplained fraction over the usual above which something else hides it. Origin: judged. */
  hidden: 0.06,
  /** Uncertainty of a height, px, and per px that it moves in a frame. Origin: known beams, whose heights scatter by 0.01 to 0.05 px. */
  uncertainty: 0.03,
  perWay: 0.01,
  /**
   * Steps of differences and bounds: of the shutter, part of a frame, and of the additional softness of frames over the
   * first, px^2.
   */
  blur: { shutter: { step: 0.05, bounds: [0, 1] }, soft: { step: 0.3, bounds: [-2, 16] } },
  /** Step of differences of bends, m. */
  bendStep: 1e-3,
  /** Number of points along the beam at which it is computed. */
  stations: 100,
  /** Displacement below which a column is not blurred, px. */
  sharp: 0.25,
  /**
   * Minimum number of frames to fit a swing, more than its three numbers; decays that are tried, fraction of a swing
   * lost in its period.
   */
  fewestOfSwing: 5,
  decays: Array.from({ length: 61 }, (_, k) => k / 60),
} as const;
