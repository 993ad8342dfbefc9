/**
 * Tuned numbers of the search for a toss. "Known tosses" are those of `npm run -s films -- --kinds toss --seed 5971` and
 * 5981, on which they were tuned by comparison with the truth.
 */
export const TOSS = {
  /** Contact coefficients of the model during the flight. */
  material: { restitution: 0.4, friction: 0.3 },
  /** Bounds of start values, slightly within those of the unknowns: a search that starts at a bound stays there. */
  bounds: { restitution: [0.03, 0.9], friction: [0.01, 1.4] },
  /** Fits of tosses to outlines. */
  fit: {
    /** Natural steps: rotation, rad; spin, rad/s; position, m; velocity, m/s; logit and logarithm; gravity, m/s^2. */
    scales: { turn: 0.02, spin: 0.2, position: 0.01, velocity: 0.05, material: 0.2, gravity: 0.3 },
    /** Finite-difference step, in natural steps. */
    step: 1e-3,
    /** Decrease of the sum of squares below which a fit ends. Origin: with 1, a fit to toss 3 of seed 6011 ended too soon. */
    gain: 0.1,
    /** Standard deviation of all outlines' size, px. */
    bias: 1,
    /** Priors, wide enough for other worlds and all materials: of gravity, m/s^2, and of the contact coefficients. */
    priors: {
      gravity: { mean: 9.8, deviation: 3 },
      logitRestitution: { mean: 0, deviation: 2 },
      logFriction: { mean: -1, deviation: 1 },
    },
  },
  /**
   * Relative scatter of an outline's reaches in the median frame below which it is round. Origin: 0.01 of filmed balls; 0.15 to 0.27
   * of known tosses, 0.045 of a cube seen from a corner.
   */
  round: 0.03,
  /** Distance of outlines from those of the best way of turning, in their sizes, above which it is none. Known tosses: 0.02 to 0.06. */
  unlike: 0.3,
  /** Tosses around a fitted flight. */
  draws: {
    /** Ranges of the contact coefficients. */
    restitutions: [0.05, 0.85],
    frictions: [0.05, 0.7],
    /** Widths, in standard deviations of the flight; and the maximum, in natural steps. */
    widths: [1, 3, 9],
    most: 5,
    /** Number of draws; number of best ones that are fitted; and of best fits that are fitted to more frames. */
    count: 300,
    fitted: 12,
    kept: 3,
  },
  /** Maximum ratio of a flight's squares to those of the best one for rotations that are searched further. */
  asNear: 2.5,
  /**
   * Durations after the first impact, s, up to which the film is compared, step by step. Every impact amplifies errors,
   * so that soon nothing can be predicted.
   */
  after: [0.1, 0.2, 0.3],
  /** Number of instants a frame at which the path in an exposure is known. */
  instants: 32,
  /** Number of impacts after which a box rattles, which nothing predicts. */
  impacts: 8,
  /** Distance of a frame's outline from the fitted one, px, above which the motion is lost. */
  lost: 1,
  /** Differences of the logit of restitution and the logarithm of friction below which two fits count as one. */
  same: 0.1,
  /**
   * Number of substeps per second, and relative decrease of the loss below which the search ends. Origin: with 7680 or
   * 23040 substeps toss 1 of seed 5981 has the same restitution to a tenth of its standard error; smaller decreases are rounding.
   */
  substeps: 11520,
  tolerance: 1e-5,
} as const;
