/** What a frame would show more of, were something wrong: one column of sums beside those of the unknowns. */
export type PatternKind = 'delay' | 'blur' | 'gain' | 'offset' | 'colour' | 'outline' | 'texture';

/** Ways in which what is seen may depart from what a model shows, beside the changes of its unknowns. */
export type DepartureKind = PatternKind | 'jump' | 'clock' | 'drag' | 'timing' | 'halves' | 'motion';

/** A pattern, in each frame a direction of the residuals. */
export interface Pattern {
  readonly kind: PatternKind;
  /** Number of the observation that it is about. */
  readonly observation: number;
  /** Number of the unknown or of the component that it is about; null where it is about no one. */
  readonly which: number | null;
}

/** One or more directions of the residuals that are tested together. */
export interface Candidate {
  readonly kind: DepartureKind;
  /** Number of the observation that it is about; null where it is about all. */
  readonly observation: number | null;
  /** Number of the unknown, of the component or of the frame that it is about; null where it is about no one. */
  readonly which: number | null;
  /** Numbers of its directions among the {@link Course}s. */
  readonly courses: readonly number[];
}

/** A direction of the residuals: a column of sums, in each frame times a number. */
export interface Course {
  /** Number of the column: an unknown, or a pattern after all of these. */
  readonly column: number;
  readonly times: Float64Array;
}
