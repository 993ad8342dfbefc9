/**
 * Kinds of patterns in the residuals that a particular error would cause: each one column of sums beside those of the
 * unknowns.
 */
export type PatternKind =
  | ('delay' | 'blur' | 'gain' | 'offset' | 'colour' | 'outline' | 'texture')
  | ('across' | 'down' | 'scale' | 'turn' | 'lens' | 'right half' | 'lower half');

/** Ways in which a film may depart from the model's output, other than by changes of its unknowns. */
export type DepartureKind =
  | Exclude<PatternKind, 'across' | 'down'>
  | ('place' | 'parts' | 'jump' | 'clock' | 'drag' | 'timing' | 'halves' | 'motion');

/** A pattern: a direction of the residuals in each frame. */
export interface Pattern {
  readonly kind: PatternKind;
  /** Number of its observation. */
  readonly observation: number;
  /** Number of the unknown or component that it concerns; null for none. */
  readonly which: number | null;
}

/** Positions among the kept values of a frame; the first `count` of `at`. */
export interface Positions {
  readonly at: Uint32Array;
  count: number;
}

/** Values of a pattern. */
export interface Column extends Pick<Pattern, 'kind' | 'which'> {
  /**
   * Fills in its values at some positions of a frame, in their order. Each kind has a loop of its own: a function called
   * for each value returns a boxed number.
   */
  readonly fill: (to: Float64Array, f: number, positions: Positions) => void;
}

/** One or more directions of the residuals that are tested together. */
export interface Candidate {
  readonly kind: DepartureKind;
  /** Number of its observation; null for all. */
  readonly observation: number | null;
  /** Number of the unknown, component or frame that it concerns; null for none. */
  readonly which: number | null;
  /** Indices of its directions among the {@link Course}s. */
  readonly courses: readonly number[];
}

/** A direction of the residuals: a column of sums, times a number in each frame. */
export interface Course {
  /** Number of the column: an unknown, or a pattern after all of these. */
  readonly column: number;
  readonly times: Float64Array;
}
