/**
 * Kinds of patterns: what the residuals would look like if the film or model had one particular error. Each pattern is
 * a column beside those of the Jacobian.
 */
export type PatternKind =
  | ('delay' | 'clock' | 'blur' | 'gain' | 'offset' | 'colour' | 'outline' | 'texture')
  | ('across' | 'down' | 'scale' | 'turn' | 'lens' | 'right half' | 'lower half');

/** Kinds of departures: ways in which a film may differ from the model for any values of the unknowns. */
export type DepartureKind =
  | Exclude<PatternKind, 'across' | 'down'>
  | ('place' | 'parts' | 'jump' | 'drag' | 'timing' | 'halves' | 'motion');

/** A pattern: a vector of all residuals that one particular error would cause, up to a factor in each frame. */
export interface Pattern {
  readonly kind: PatternKind;
  /** Index of the observation that it belongs to. */
  readonly observation: number;
  /** Index of the unknown or of the component that it concerns; null for none. */
  readonly which: number | null;
}

/** Indices of some of the kept values of a frame: the first `count` entries of `at`. */
export interface Positions {
  readonly at: Uint32Array;
  count: number;
}

/** A pattern with the function that computes its values. */
export interface Column extends Pick<Pattern, 'kind' | 'which'> {
  /**
   * Writes the pattern's values at some positions of frame `f` to `to`, in the order of the positions. Each kind of
   * pattern has a loop of its own, since calling a function for every value would allocate a number each time.
   */
  readonly fill: (to: Float64Array, f: number, positions: Positions) => void;
}

/** A possible departure: one or more directions of the residuals that are tested together. */
export interface Candidate {
  readonly kind: DepartureKind;
  /** Index of the observation that it belongs to; null for all. */
  readonly observation: number | null;
  /** Index of the unknown, component or frame that it concerns; null for none. */
  readonly which: number | null;
  /** Indices of its directions among the {@link Course}s. */
  readonly courses: readonly number[];
}

/** A direction of the residuals: a column of the Jacobian or a pattern, times a factor in each frame. */
export interface Course {
  /** Index of the column: unknowns first, then patterns. */
  readonly column: number;
  readonly times: Float64Array;
}
