import type { Round } from './pictures.ts';

/**
 * Tuned numbers of balls. "Known balls" are films of docs/lab/known-films.md: chosen by seeds 1 and 7, in which all 48 estimates
 * then lay within two standard errors; in seed 8, which was looked at afterwards, 23 of 24.
 */
export const BALL = {
  /**
   * Prior of the pixels by which all outlines are larger than the ball: mean and standard deviation, px. Origin: errors
   * of -0.17 to 0.15 px for known balls of seed 31 and drawn ones, encoded and not.
   */
  sizeOff: { mean: 0, standardDeviation: 0.15 },
  /** Margin around the ball that is compared too, px. Origin: judged, more than masks are off. */
  margin: 8,
  /** Frames that determine the shutter: minimum motion from frame to frame, px, and their number. Origin: judged. */
  fast: 8,
  mostFast: 7,
  /** Steps of differences: right and down, px; parts of the size and of the exposure. */
  steps: [0.05, 0.05, 0.002, 0.03],
  /** Standard deviations of the start, m and m/s. Origin: judged from errors of masks by blur. */
  start: [4, 4, 0.1, 1],
  rounds: [
    [4, 0.3],
    [2, 0.2],
    [1, 0.1],
    [1, 0.06],
    [1, 0.05],
    [1, 0.05],
  ] satisfies Round[],
  /** Maximum distance from the expected place, px. Origin: judged, twice the start's standard deviation. */
  farthest: 8,
  /** Maximum fraction of unexplained pixels. Origin: judged; a highlight explains a few, another object more. */
  mostOutliers: 0.6,
  /**
   * Degree of the polynomial of two coordinates that describes its light, the third as a matt ball shows a lamp.
   * Origin: known balls; degree four takes light beyond a dark rim for light of the ball.
   */
  lightDegree: 3,
  /**
   * Uncertainty of an outline, px; per px of blur; per px that its path turns. Origin: known balls, and the film of
   * docs/guide/film.md.
   */
  uncertainty: 0.06,
  perBlur: 0.015,
  perTurn: 0.05,
  /**
   * A path turns where its step changes between frames by more than `pixels` px plus `part` of the longer step. Origin: judged;
   * as at a bounce.
   */
  turn: { pixels: 4, part: 0.25 },
  /**
   * A mask contains something else if it is larger by this part than usual in this number of frames before and after.
   * Origin: judged.
   */
  excess: { part: 0.06, frames: 5 },
} as const;
