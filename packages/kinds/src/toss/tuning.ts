/**
 * Tuned numbers of the search for a toss. "Known tosses" are the twelve of `npm run -s films -- --kinds toss --seed 1`, on which they
 * were tuned by comparison with the truth.
 */
export const TOSS = {
  /**
   * Contact coefficients of the model during the flight; candidates at the floor; and the number of best pairs that
   * are refined.
   */
  material: { restitution: 0.4, friction: 0.3 },
  restitutions: [0.1, 0.3, 0.5, 0.7],
  frictions: [0.1, 0.25, 0.5],
  tried: 3,
  /**
   * Number of points from which the first frames after the flight are searched anew where the result is not trusted.
   * Origin: toss 1 of seed 5407.
   */
  starts: 16,
  /**
   * Bounds of start values of later searches, slightly within the bounds of the unknowns: a search that starts at a
   * bound stays there.
   */
  bounds: { restitution: [0.03, 0.9], friction: [0.01, 1.4] },
  /**
   * Maximum ratio of a rotation's residual to the best one for rotations that are fitted to pixels. Origin: judged.
   */
  asNear: 1.5,
  /**
   * Durations after the flight, s, up to which the film is compared, step by step; the second list has smaller steps,
   * and is used if the first fails. Every impact amplifies errors, so that soon nothing can be predicted. Origin:
   * films of known tosses.
   */
  after: [
    [0.17, 0.3],
    [0.08, 0.17, 0.3],
  ],
  /** Loss above which the model no longer follows the film. Origin: judged; noise alone gives a loss of 1. */
  lost: 1.5,
  /**
   * Number of last frames of a step whose outlines are fitted again in the next step, when the motion is known
   * better. Origin: judged.
   */
  again: 3,
  /** Minimum number of frames whose pixels a rotation must explain. */
  fewest: 5,
  /**
   * Number of substeps per second; and the factor on it for the final estimate. Origin: toss 0 with 256 substeps a
   * frame diverges from the result with 1024.
   */
  substeps: 7680,
  fine: 3,
} as const;
