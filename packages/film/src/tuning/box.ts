import type { Round } from './pictures.ts';

/**
 * Tuned numbers of boxes. "Known tosses" are the twelve tosses of seed 1 of docs/lab/known-films.md, tuned with the
 * truth in view.
 */
export const BOX = {
  /** Margin around the box that is compared too, px. Origin: judged. */
  margin: 8,
  /** Frames that determine the shutter: minimum motion from frame to frame, px, and their number. Origin: judged. */
  fast: 12,
  mostFast: 5,
  /** Steps of differences: position, m; rotation, rad; part of the exposure. */
  steps: [2e-4, 2e-4, 2e-4, 2e-3, 2e-3, 2e-3, 0.02],
  /** Standard deviations of the start, in the same units. Origin: judged, error of starts from masks. */
  start: [0.03, 0.03, 0.03, 0.2, 0.2, 0.2, 1],
  rounds: [
    [6, 0.3],
    [6, 0.3],
    [4, 0.2],
    [4, 0.2],
    [2, 0.15],
    [2, 0.1],
    [1, 0.08],
    [1, 0.05],
    [1, 0.05],
  ] satisfies Round[],
  /** Maximum distance from the expected place, px. Origin: judged. */
  farthest: 10,
  /** Maximum fraction of unexplained pixels. Origin: judged; less than a ball's, as sides are of one colour. */
  mostOutliers: 0.35,
  /**
   * Area below which a side has one uniform colour, px; on others colours vary linearly over this number of px. Origin:
   * judged.
   */
  largeSide: 80,
  across: 20,
  /** Uncertainty of a rim, px, and per px of blur. Origin: known tosses; errors in flight were 0.02 to 0.3 px. */
  uncertainty: 0.07,
  perBlur: 0.012,
  /**
   * Extra outline uncertainty from the contact shadow, px, which ends at this multiple of the least side above the
   * floor. Origin: known tosses.
   */
  footUncertainty: 0.6,
  footHeight: 0.5,

  flight: {
    /** Relative uncertainty of its area as that of a ball: the projected area varies with rotation. Origin: judged. */
    area: 0.3,
    /** Minimum number of frames. Origin: that of a flight between contacts. */
    fewest: 5,
    /** Candidates for an unknown gravity, m/s^2: from the Moon's on. */
    gravities: [1.6, 2.5, 3.7, 5, 6, 7, 8, 9, 9.8, 10.6, 11.5, 12.5, 14, 16, 20, 25],
    /** Prior of gravity, m/s^2, and the standard deviation of its logarithm. Origin: judged. */
    earth: { gravity: 9.8, uncertainty: 0.2 },
    /**
     * Path residual above which a gravity is discarded: this multiple of the best gravity's, plus this number of px.
     * Origin: judged.
     */
    worse: 2,
    rough: 0.5,
    /**
     * Path residual above which a frame no longer belongs to the flight: this multiple, plus those px. Origin: judged.
     */
    leaves: 3,
  },

  tumble: {
    /**
     * Number of orientations, a quarter of them different beyond half rotations, and how many of the best are tried
     * with spins. Origin: a spacing of 0.3 rad.
     */
    orientations: 2400,
    spun: 50,
    /** Fastest spin, rad/s, unless it is given. */
    fastest: 16,
    /** Step of spins: difference of rotation at either end of the flight, rad. */
    spinStep: 0.6,
    /**
     * Numbers of candidates: that pass the test at both ends of the flight; that are refined; that are returned at
     * most. Origin: judged.
     */
    near: 1500,
    refined: 24,
    most: 4,
    /** Number of frames of the first comparison. */
    looks: 7,
    /**
     * Residual up to which a candidate is as good as the best: this multiple, plus this number of px. Origin: judged.
     */
    alike: { times: 1.6, pixels: 0.2 },
    /** Differences above which candidates are refined separately: of rotation in the middle, or at the ends, rad. */
    apart: { middle: 0.35, ends: 0.5 },
    /** Differences below which two answers are the same: rad/s and rad. */
    same: { spin: 1, turn: 0.2 },
    /** Ratio of a reach's uncertainty to that of a middle. Origin: judged; 24 reaches share part of their errors. */
    middle: 3,
    /** Natural steps of the search: rotation, rad; spin, rad/s; position, m; velocity, m/s; gravity, m/s^2. */
    scales: [0.05, 0.5, 0.02, 0.1, 0.5],
    /** Maximum step of torque-free rotation, s. */
    step: 8e-3,
  },

  toss: {
    /** Material during flight, and the candidates at the floor: the number of nearest pairs. */
    material: { restitution: 0.4, friction: 0.3 },
    restitutions: [0.1, 0.3, 0.5, 0.7],
    frictions: [0.1, 0.25, 0.5],
    tried: 3,
    /** Bounds of later starts, slightly within those of the unknowns: a search that starts at its bound stays there. */
    bounds: { restitution: [0.03, 0.9], friction: [0.01, 1.4] },
    /** Ratio to the best residual up to which rotations are tried. Origin: judged. */
    asNear: 1.5,
    /**
     * Durations after the flight, s, by which the compared part of the film grows; if that fails, smaller steps. Every
     * impact amplifies errors, so that soon nothing can be predicted. Origin: films of known tosses.
     */
    after: [
      [0.17, 0.3],
      [0.08, 0.17, 0.3],
    ],
    /** Loss above which the model has diverged from the film. Origin: judged; the noise alone gives 1. */
    lost: 1.5,
    /** Number of last frames that are fitted again, once the motion after them is known better. Origin: judged. */
    again: 3,
    /** Minimum number of frames in which a rotation explains the pixels. */
    fewest: 5,
    /**
     * Substeps a second; and the factor for the final estimate. Origin: toss 0 diverges with 256 substeps a frame
     * compared with 1024.
     */
    substeps: 7680,
    fine: 3,
  },
} as const;
