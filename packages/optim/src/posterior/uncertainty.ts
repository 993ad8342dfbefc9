/** Source that determines an unknown's value: the observations, priors, an end of its range, or nothing. */
export type DeterminedBy = 'observations' | 'priors' | 'range' | 'nothing';

/** A combination of unknowns that the observations determine poorly or not at all. */
export interface UndeterminedDirection {
  /** Weight of each unknown in the direction, by name, in transformed coordinates; the squares add up to 1. */
  readonly direction: Readonly<Record<string, number>>;
  /** Standard deviation along the direction, in transformed coordinates; null if infinite. */
  readonly standardDeviation: number | null;
  /** Names of the unknowns of notable weight. */
  readonly mainUnknowns: readonly string[];
  /** Sentence about the direction for the report. */
  readonly note: string;
}

/** Error of the frame rate, and what it makes of the unknowns. */
export interface ClockError {
  /** Given frame rate, 1/s; the usual one, if frames have times of their own. */
  readonly frameRate: number;
  /** Relative standard deviation of the given rate. */
  readonly tolerance: number;
  /** Relative deviation from the given rate that tolerance and film together indicate, and its standard error. */
  readonly deviation: number;
  readonly standardError: number;
  /** Difference between given rate and that of the film alone, in the standard deviations that it has if both are right. */
  readonly contradiction: number;
  /** Standard deviations of the unknowns' coordinates that it causes, with the signs they have together. */
  readonly shifts: Float64Array;
}

export interface Uncertainty {
  /** Error of the frame rate; undefined without a tolerance of it. */
  readonly clock?: ClockError;
  /**
   * Standard errors of the unknowns' values (not of their coordinates); infinite for values that nothing determines.
   */
  readonly standardErrors: readonly number[];
  /** 95 % intervals of the unknowns' values. */
  readonly intervals: readonly (readonly [number, number])[];
  readonly determinedBy: readonly DeterminedBy[];
  readonly correlation: readonly (readonly (number | null)[])[];
  readonly undetermined: readonly UndeterminedDirection[];
  readonly leastDetermined: string;
  readonly residuals: ResidualCorrelation;
  /** Standard deviations of the unknowns' coordinates; infinite for those that nothing determines. */
  readonly deviations: readonly number[];
  /** Covariance of the coordinates along determined directions, row by row. */
  readonly covariance: Float64Array;
  /**
   * Cramer-Rao bound of `covariance`: the inverse of the Fisher information of the observations, with the noise that
   * their residuals have, and of the priors.
   */
  readonly bound: Float64Array;
  /** Remaining Gauss-Newton step to the minimum in each coordinate, since an exact fit ends the search early. */
  readonly remainingStep: Float64Array;
  /** A^-1, row by row: the covariance of the coordinates if residuals were independent. */
  readonly inverse: Float64Array;
  /** v: the variance of a residual times the number of residuals that carry the information of one independent one. */
  readonly effectiveVariance: number;
  /** J^T r and J^T J of each stretch (frame or part of one), without the pull of priors and ranges. */
  readonly stretches: Stretches;
  /**
   * For each unknown, the predicted rise of the weighted sum of squares, including priors, at the ends of its interval
   * with the other unknowns refitted.
   */
  readonly rises: readonly number[];
  /**
   * For each unknown, the largest ratio between standard errors from differently rounded derivatives; infinite if one
   * of them is, or if a perturbed run failed.
   */
  readonly roundingFactors: readonly number[];
}

/** Scores and information of the residuals by stretch: a frame, or a part of a frame. */
export interface Stretches {
  /** Score J^T r of each stretch. */
  readonly scores: readonly Float64Array[];
  /** Information J^T J of each stretch, row by row. */
  readonly information: readonly Float64Array[];
}

/** Correlation of residuals, as far as it affects the uncertainty of the estimate. */
export interface ResidualCorrelation {
  /**
   * Covariance of the total score in whitened directions, divided by the variance of a residual; the identity matrix
   * for independent residuals.
   */
  readonly scoreCovariance: Float64Array;
  /** Number of correlated residuals that carry as much information as one independent residual, at least 1. */
  readonly perIndependent: number;
  /** Correlation length in stretches: the largest lag at which scores are correlated. */
  readonly correlationLength: number;
  /**
   * Number of stretches used for the measurement; null if there were too few, so that residuals are assumed
   * independent.
   */
  readonly measured: number | null;
}
