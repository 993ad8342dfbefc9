/**
 * Kinds of patterns: what the residuals would look like if the film or model had one particular error. Each pattern is
 * a column beside those of the Jacobian.
 */
export type PatternKind =
  | ('delay' | 'clock' | 'blur' | 'gain' | 'offset' | 'colour' | 'outline' | 'texture')
  | ('wide' | 'soft' | 'across' | 'down' | 'scale' | 'turn' | 'lens' | 'right half' | 'lower half');

/** Kinds of departures: ways in which a film may differ from the model for any values of the unknowns. */
export type DepartureKind =
  | Exclude<PatternKind, 'across' | 'down' | 'wide' | 'soft'>
  | ('edges' | 'place' | 'parts' | 'jump' | 'drag' | 'timing' | 'halves' | 'motion');

/** A possible departure: one or more directions of the residuals that are tested together. */
export interface DepartureCandidate {
  readonly kind: DepartureKind;
  /** Index of the observation that it belongs to; null for all. */
  readonly observation: number | null;
  /** Index of the unknown, component or frame that it concerns; null for none. */
  readonly subjectIndex: number | null;
  /** Indices of its directions among the {@link ResidualDirection}s. */
  readonly directions: readonly number[];
}

/** A detected departure: a systematic difference between film and model. */
export interface Departure extends DepartureCandidate {
  /** Fitted amplitude of its first direction, with its other directions fitted too. */
  readonly amplitude: number;
  /** Probability that amplitudes at least as large occur if the model is correct. */
  readonly chance: number;
  /** Share of the sum of squared residuals that it explains, 0 to 1. */
  readonly explained: number;
  /** Second moments of the bias that it causes in the unknowns' coordinates, row by row: see {@link biasMomentsAlong}. */
  readonly biasMoments: Float64Array;
}

export interface Departures {
  /** Significant departures, in the order in which they were found. */
  readonly found: readonly Departure[];
  /** Second moments of the bias that all of them cause in the unknowns' coordinates, row by row. */
  readonly biasMoments: Float64Array;
  /** Variances of the unknowns' coordinates from noise alone, with given quantities held fixed; 0 where unknown. */
  readonly noiseVariances: Float64Array;
  /**
   * Variance of a residual from noise alone along the unknowns' directions, times the number of residuals that carry
   * the information of one independent one; 0 if unknown.
   */
  readonly noise: number;
  /** Ratio of the scatter of residuals along the unknowns' directions to the noise; 1 if it is not significant. */
  readonly excessScatter: number;
  /** Effects of a wrong clock and of a small drag on the unknowns, and what of them would be seen. */
  readonly effects: readonly Effect[];
}

/** Effect of an error of the clock, or of a small drag, on the unknowns, and what it leaves in the residuals. */
export interface Effect {
  readonly kind: 'clock' | 'drag';
  /** Shift of the unknowns' coordinates by an error of size 1. */
  readonly shift: Float64Array;
  /** Length of the residuals that an error of size 1 leaves once the unknowns are fitted, over that of the noise. */
  readonly residualLength: number;
}
