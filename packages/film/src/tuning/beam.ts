import type { Round } from './pictures.ts';

/**
 * Tuned numbers of beams. "Known beams" are films of docs/lab/known-films.md: chosen by seeds 1 and 7. In seed 9, of which nothing was
 * chosen, 18 of 24 moduli and 23 of 24 damping ratios lay within two standard errors.
 */
export const BEAM = {
  /** Px around the straight beam that are read, and px above and below the bent one that are compared. Origin: judged. */
  margin: 24,
  beside: 5,
  /** Parts of the length that are compared: the clamp hides its begin, and the end comes nearer as it bends. */
  parts: [0.1, 0.96],
  /** Columns from one that is compared to the next: an encoder's blocks hold more. */
  stride: 2,
  /** Rounds of the first look, whose first number is the step of differences, px: long at first, to feel what is far. */
  far: [
    [3, 1],
    [3, 1],
    [2, 0.5],
    [1, 0.3],
    [0.5, 0.15],
  ] satisfies Round[],
  /** The same of the second look. */
  near: [
    [0.5, 0.15],
    [0.25, 0.1],
    [0.25, 0.1],
  ] satisfies Round[],
  /** Frames that tell the shutter: px that the end goes from frame to frame at least, and how many of them. Origin: judged. */
  fast: 3,
  mostFast: 12,
  /** Most of its pixels that may be unexplained before it is searched at every bend, up to parts of its length. Origin: judged. */
  mostOutliers: 0.15,
  farthest: 0.5,
  /** Something else hides it where so much more of it than usual is unexplained. Origin: judged. */
  hidden: 0.06,
  /** Uncertainty of a height, px, and per px that it moves in a frame. Origin: known beams, whose heights scatter by 0.01 to 0.05 px. */
  uncertainty: 0.03,
  perWay: 0.01,
  /** Steps of differences and bounds of the shutter, part of a frame, and of what frames are softer than the first, px^2. */
  blur: { shutter: { step: 0.05, bounds: [0, 1] }, soft: { step: 0.3, bounds: [-2, 16] } },
  /** Step of differences of bends, m. */
  bendStep: 1e-3,
  /** Places along the beam at which it is computed. */
  stations: 100,
  /** A column that goes less far is not blurred, px. */
  sharp: 0.25,
  /** Fewest frames by which a swing is told, more than its three numbers; decays that are tried, parts of a swing lost in its time. */
  fewestOfSwing: 5,
  decays: Array.from({ length: 61 }, (_, k) => k / 60),
} as const;
