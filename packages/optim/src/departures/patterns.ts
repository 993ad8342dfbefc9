import type { PatternKind } from '../posterior/departures.ts';
/** A pattern: a vector of all residuals that one particular error would cause, up to a factor in each frame. */
export interface Pattern {
  readonly kind: PatternKind;
  /** Index of the observation that it belongs to. */
  readonly observation: number;
  /** Index of the unknown or of the component that it concerns; null for none. */
  readonly subjectIndex: number | null;
}

/** Indices of some of the kept values of a frame: the first `count` entries of `at`. */
export interface PatternPositions {
  readonly at: Uint32Array;
  count: number;
}

/** A pattern with the function that computes its values. */
export interface Column extends Pick<Pattern, 'kind' | 'subjectIndex'> {
  /**
   * Writes the pattern's values at some positions of frame `f` to `to`, in the order of the positions, from the
   * derivatives with respect to each unknown there. Each kind of pattern has a loop of its own, since calling a function
   * for every value would allocate a number each time.
   */
  readonly fill: (
    to: Float64Array,
    f: number,
    positions: PatternPositions,
    derivatives: readonly Float64Array[],
  ) => void;
}

/** A direction of the residuals: a column of the Jacobian or a pattern, times a factor in each frame. */
export interface ResidualDirection {
  /** Index of the column: unknowns first, then patterns. */
  readonly column: number;
  readonly times: Float64Array;
}
