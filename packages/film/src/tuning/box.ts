import type { Round } from './pictures.ts';

/** Tuned numbers of boxes. "Known tosses" are the twelve tosses of seed 1 of docs/lab/known-films.md, chosen by with the truth in view. */
export const BOX = {
  /** Px around the box that are compared too. Origin: judged. */
  margin: 8,
  /** Frames that tell the shutter: px from frame to frame at least, and how many of them. Origin: judged. */
  fast: 12,
  mostFast: 5,
  /** Steps of differences: place, m; turn, rad; part of the exposure. */
  steps: [2e-4, 2e-4, 2e-4, 2e-3, 2e-3, 2e-3, 0.02],
  /** Standard deviations of the start, in the same units. Origin: judged, what starts from masks are off. */
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
  /** Farthest from where it was expected, px. Origin: judged. */
  farthest: 10,
  /** Most of its pixels that may be unexplained. Origin: judged; less than a ball's, as sides are of one colour. */
  mostOutliers: 0.35,
  /** A side of fewer px has one colour all over; colours of others change over so many px. Origin: judged. */
  largeSide: 80,
  across: 20,
  /** Uncertainty of a rim, px, and per px of blur. Origin: known tosses; errors in flight were 0.02 to 0.3 px. */
  uncertainty: 0.07,
  perBlur: 0.012,
  /** Extra outline uncertainty from the contact shadow, px, which ends at so many least sides above the floor. Origin: known tosses. */
  footUncertainty: 0.6,
  footHeight: 0.5,

  flight: {
    /** Relative uncertainty of its area as that of a ball: boxes show more or less as they turn. Origin: judged. */
    area: 0.3,
    /** Fewest frames. Origin: those of a flight between contacts. */
    fewest: 5,
    /** Tried where gravity is not known, m/s^2: from the Moon's on. */
    gravities: [1.6, 2.5, 3.7, 5, 6, 7, 8, 9, 9.8, 10.6, 11.5, 12.5, 14, 16, 20, 25],
    /** Prior of gravity, m/s^2, and the standard deviation of its logarithm. Origin: judged. */
    earth: { gravity: 9.8, uncertainty: 0.2 },
    /** Left out where the path is off by so many times as much as by the best gravity, plus so many px. Origin: judged. */
    worse: 2,
    rough: 0.5,
    /** A frame that makes the path so many times as bad, plus those px, is no more of the flight. Origin: judged. */
    leaves: 3,
  },

  tumble: {
    /** Orientations all around, a quarter of them others than by a half turn, and how many of the best are spun. Origin: a spacing of 0.3 rad. */
    orientations: 2400,
    spun: 50,
    /** Fastest spin, rad/s, unless it is given. */
    fastest: 16,
    /** Step of spins: so much more or less turn at either end of the flight, rad. */
    spinStep: 0.6,
    /** How many pass the test at both ends of the flight; how many of these are refined; how many are returned at most. Origin: judged. */
    near: 1500,
    refined: 24,
    most: 4,
    /** Frames of the first look. */
    looks: 7,
    /** As good as the nearest: so many times its residual, plus so many px. Origin: judged. */
    alike: { times: 1.6, pixels: 0.2 },
    /** Refined apart where they turn differently in the middle, or at the ends, rad. */
    apart: { middle: 0.35, ends: 0.5 },
    /** The same answer: rad/s and rad. */
    same: { spin: 1, turn: 0.2 },
    /** A middle is known so many times as well as a single reach. Origin: judged; 24 reaches share part of their errors. */
    middle: 3,
    /** Sizes that matter to the search: turn, rad; spin, rad/s; place, m; velocity, m/s; gravity, m/s^2. */
    scales: [0.05, 0.5, 0.02, 0.1, 0.5],
    /** Longest step of free turning, s. */
    step: 8e-3,
  },

  toss: {
    /** Start of both while the box flies, and what the search at the floor begins with: the nearest pairs, so many of them. */
    material: { restitution: 0.4, friction: 0.3 },
    restitutions: [0.1, 0.3, 0.5, 0.7],
    frictions: [0.1, 0.25, 0.5],
    tried: 3,
    /** Bounds of later starts, a little within those of the unknowns: a search that ended at its bound would stay there. */
    bounds: { restitution: [0.03, 0.9], friction: [0.01, 1.4] },
    /** Ways of turning are tried whose residual is so many times that of the nearest. Origin: judged. */
    asNear: 1.5,
    /**
     * How much of the film counts after the flight, s, growing by steps; where that leads nowhere, by more of them. Every impact
     * makes what is not known grow, and soon nothing more can be foretold. Origin: known tosses.
     */
    after: [
      [0.17, 0.3],
      [0.08, 0.17, 0.3],
    ],
    /** Loss above which the model has gone another way. Origin: judged; the noise alone gives 1. */
    lost: 1.5,
    /** Last frames that are fitted once more, when more is known of how it goes on. Origin: judged. */
    again: 3,
    /** Fewest frames in which a way of turning explains the pixels. */
    fewest: 5,
    /** Substeps a second; and so many times as many in the end. Origin: toss 0 goes another way with 256 substeps a frame than with 1024. */
    substeps: 7680,
    fine: 3,
  },
} as const;
