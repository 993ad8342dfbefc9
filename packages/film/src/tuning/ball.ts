import type { Round } from './pictures.ts';

/**
 * Tuned numbers for fitting balls. "Known balls" are films of docs/lab/known-films.md: the numbers were tuned on seeds
 * 1 and 7, where all 48 estimates then lay within two standard errors; on seed 8, tested afterwards, 23 of 24 did.
 */
export const BALL = {
  /**
   * Prior of the number of pixels by which all outlines are larger than the ball: mean and standard deviation, px.
   * Origin: errors of -0.17 to 0.15 px for known balls of seed 31 and for synthetic pictures of balls, compressed by an
   * encoder or not.
   */
  sizeBias: { mean: 0, standardDeviation: 0.15 },
  /** Margin around the ball within which pixels are compared too, px. Origin: judged, more than the error of masks. */
  margin: 8,
  /**
   * Frames from which the exposure time is fitted: their minimum displacement per frame, px, and their maximum number.
   * Origin: judged.
   */
  fastSpeed: 8,
  mostFast: 7,
  /** Distances, in frames, of the outlines that tell the motion where those beside are missing. Origin: judged. */
  beside: [2, 3],
  /**
   * Finite-difference steps: shift to the right and downwards, px; relative change of size; relative change of
   * exposure.
   */
  steps: [0.05, 0.05, 0.002, 0.03],
  /**
   * Weight of a pixel wholly inside a ball of more than some 12 px, over that of one at its rim: light that its patterns do not have
   * would move the rim. Of smaller ones the few pixels inside tell the light.
   * Origin: glossy balls of another renderer, whose sizes it brings from -0.3 to -0.15 px, and exposures from 10 % too long to 3 %;
   * with 0.1 the start shows by 0.15 px.
   */
  insideWorth: 0.2,
  /** Standard deviations of the start, in the units of `steps`. Origin: judged from errors of masks by blur. */
  start: [4, 4, 0.1, 1],
  rounds: [
    [4, 0.3],
    [2, 0.3],
    [1, 0.2],
    [1, 0.1],
    [1, 0.06],
    [1, 0.05],
  ] satisfies Round[],
  /**
   * Maximum distance of a fitted ball from its expected position, px. Origin: judged, twice the start's standard
   * deviation.
   */
  maxDistance: 8,
  /**
   * Maximum fraction of the ball's pixels that the fit may leave unexplained. Origin: judged; a highlight explains a
   * few, another object more.
   */
  mostOutliers: 0.6,
  /** The same of a striped ball, which leaves many in all frames. Origin: one of 0.23 to 0.64, whose fit was right. */
  patterned: { above: 0.15, most: 0.7 },
  /**
   * Degree of the polynomial in the two picture coordinates that describes the ball's light, beside a pattern of
   * diffuse reflection. Origin: known balls; with degree four, light beyond a dark rim is attributed to the ball.
   */
  lightDegree: 3,
  /**
   * Ridges of the monomials by degree, px: without them, light that changes near the rim is mistaken for another size, which
   * then follows that of the mask, and is 0.4 px too large in compressed films. Origin: drawn balls of 8 px, in three colours.
   */
  lightRidges: [0, 0, 1, 0.2],
  /**
   * Size, px, below which a ball has too few pixels to tell its size from its light; there, ridge of the pattern of diffuse
   * reflection, px, and what is added to the standard deviation of the size, px, each times how much smaller the ball is.
   * Origin: shaded balls of 3, 4 and 6 px under five lights, in compressed films: 0.16, 0.13 and 0.11 px too large or small
   * (root mean square), and 0.28 px at most; without, 0.23, 0.21 and 0.11, and 0.42 at most.
   */
  few: { below: 8, dome: 1, size: 0.1 },
  /**
   * Part of a ball's rim that a contact shadow hides: beyond `from` of its size, up to `halfAngle` on either side of the
   * contact, rad. Origin: seen from 0.2 rad above the board, a ball covers 8 % of the sky there, and 45 % at half that angle.
   */
  contact: { from: 0.5, halfAngle: Math.PI / 3 },
  /**
   * Distance of a pixel's stored colour from the background's from which on it is not background, and the distance from a mask's
   * middle up to which such pixels are searched, in sizes of the mask. Origin: judged, four times the noise of an encoder, and
   * masks of a third of a ball.
   */
  unlike: 0.06,
  around: 3,
  /**
   * Part of a mask's rim that lies on its circle, from which on it is the ball's; of another circle, which is preferred, by
   * how much more of the rim lies on it, and how much at least. Origin: judged.
   */
  round: 0.75,
  rounder: 0.125,
  leastRound: 0.33,
  /**
   * Uncertainty of an outline: constant, px; per px of blur; per px by which its displacement changes at a turn of the
   * path. Origin: known balls, and the film of docs/guide/film.md.
   */
  uncertainty: 0.06,
  perBlur: 0.015,
  perTurn: 0.05,
  /**
   * Limit above which a path turns, as at a bounce: its displacement per frame changes by more than `pixels` px plus
   * `part` of the longer displacement. Origin: judged.
   */
  turn: { pixels: 4, part: 0.25 },
  /**
   * A mask contains something else if its size exceeds the median size of this number of frames before and after by
   * this fraction. Origin: judged.
   */
  excess: { part: 0.06, frames: 5 },
} as const;
