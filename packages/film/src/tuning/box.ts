import type { Round } from './pictures.ts';

/**
 * Rounds of a fit from a start that is some pixels off, as by masks; from that of a motion through outlines of such fits; and from
 * that of the whole motion. Each time all frames tell where a frame's fit, which may end in a false minimum, begins: a rim that is off
 * by more than its softness hardly counts, and moves slowly.
 */
const COARSE = [
  [4, 0.3],
  [2, 0.2],
  [2, 0.15],
] satisfies Round[];
const MIDDLE = [
  [2, 0.2],
  [2, 0.2],
  [1, 0.1],
] satisfies Round[];
const FINE = [
  [2, 0.2],
  [1, 0.1],
  [1, 0.05],
] satisfies Round[];

/**
 * Tuned numbers for fitting boxes. "Known tosses" are the twelve of `npm run -s films -- --kinds toss --seed 1`, on which
 * the numbers were tuned by comparison with the truth.
 */
export const BOX = {
  /** Margin around the box within which pixels are compared too, px. Origin: judged. */
  margin: 8,
  /**
   * Frames from which the exposure time is fitted: their minimum displacement per frame, px, and their maximum number.
   * Origin: judged.
   */
  fastSpeed: 12,
  mostFast: 3,
  /** Finite-difference steps: position, m; rotation, rad; relative change of exposure. */
  steps: [2e-4, 2e-4, 2e-4, 2e-3, 2e-3, 2e-3, 0.02],
  /** Weight of a pixel wholly inside a side, over that of one at its rim. Origin: with 0.1 two of nine tosses lose frames. */
  insideWorth: 1,
  /** Standard deviations of the start, in the units of `steps`. Origin: judged, error of starts from masks. */
  start: [0.03, 0.03, 0.03, 0.2, 0.2, 0.2, 1],
  rounds: [...COARSE, [1, 0.1], [1, 0.05], [1, 0.05]] satisfies Round[],
  coarse: COARSE,
  middle: MIDDLE,
  fine: FINE,
  /** Maximum distance of a fitted box from its expected position, px. Origin: judged. */
  maxDistance: 10,
  /**
   * Maximum fraction of the box's pixels that the fit may leave unexplained. Origin: judged; less than for balls, since
   * sides have uniform colours.
   */
  mostOutliers: 0.35,
  /**
   * Area below which a side gets one uniform colour, px^2; the length in px over which the linear patterns of larger
   * sides change by 1. Origin: judged.
   */
  largeSide: 80,
  across: 20,
  /**
   * Uncertainty of an outline: constant, px, and per px of blur. Origin: known tosses; errors in flight were 0.02 to
   * 0.3 px.
   */
  uncertainty: 0.07,
  perBlur: 0.012,
  /**
   * Additional uncertainty of an outline from the contact shadow, px, for a box on the floor; it falls to 0 at the
   * height `footHeight` above the floor, a multiple of the smallest side. Origin: known tosses.
   */
  footUncertainty: 0.6,
  footHeight: 0.5,

  flight: {
    /**
     * Relative uncertainty of a box's area when computed as that of a ball: the projected area varies with rotation.
     * Origin: judged.
     */
    area: 0.3,
    /** Minimum number of frames of a flight. Origin: as for a flight between contacts. */
    fewest: 5,
    /** Candidates for an unknown gravity, m/s^2; the smallest is the Moon's. */
    gravities: [1.6, 2.5, 3.7, 5, 6, 7, 8, 9, 9.8, 10.6, 11.5, 12.5, 14, 16, 20, 25],
    /**
     * Prior of an unknown gravity: median, m/s^2, and the standard deviation of its natural logarithm. Origin: judged.
     */
    earth: { gravity: 9.8, uncertainty: 0.2 },
    /**
     * Path residual, px, above which a gravity is discarded: `worse` times the best gravity's residual, plus `rough`
     * px. Origin: judged.
     */
    worse: 2,
    rough: 0.5,
    /**
     * Path residual above which the flight has ended before a frame: `leaves` times the residual without that frame,
     * plus `rough` px. Origin: judged.
     */
    leaves: 3,
  },

  tumble: {
    /**
     * Number of orientations, of which a quarter differ by more than half turns about the box's axes; and the number of
     * best ones that are combined with spins. Origin: a spacing of 0.3 rad.
     */
    orientations: 2400,
    spun: 50,
    /** Maximum angular speed that is tried, rad/s, unless given as an option. */
    fastest: 16,
    /** Step between spins: the difference that it makes in the rotation at either end of the flight, rad. */
    spinStep: 0.6,
    /**
     * Numbers of best candidates: those kept after comparing the first and last frame; those refined; and the maximum
     * returned. Origin: judged.
     */
    near: 1500,
    refined: 24,
    most: 4,
    /** Number of frames of the comparison before the one with all frames. */
    looks: 7,
    /**
     * Maximum residual of a candidate that counts as good as the best: this multiple of the best residual, plus this
     * number of px. Origin: judged.
     */
    alike: { times: 1.6, pixels: 0.2 },
    /**
     * Differences above which candidates count as distinct: in the orientation in the middle of the flight, or in the
     * rotation from there to its ends, rad.
     */
    apart: { middle: 0.35, ends: 0.5 },
    /** Differences below which two solutions count as equal: of spin, rad/s, and of orientation, rad. */
    same: { spin: 1, turn: 0.2 },
    /**
     * Ratio of the uncertainty of a reach to the uncertainty of a middle. Origin: judged; the errors of the 24 reaches
     * are correlated.
     */
    middle: 3,
    /**
     * Natural step of each unknown in the search: rotation, rad; spin, rad/s; position, m; velocity, m/s; gravity,
     * m/s^2.
     */
    scales: [0.05, 0.5, 0.02, 0.1, 0.5],
    /**
     * Natural step of the relative distance; and the maximum ratio of a box's size in the picture to that at the distance by its
     * flight. Origin: three standard deviations of `flight.area`.
     */
    distance: 0.02,
    mostLarger: 1.6,
    /** Decrease of the sum of squares, px^2, below which a refinement ends: it is a start for fits to pixels. */
    gain: 0.1,
  },
} as const;
