/** End of the descent from one start: its point and loss. */
export interface End {
  readonly x: Float64Array;
  readonly loss: number;
  /** J^T J at the end, divided by the sum of weights; undefined if only gradients are computed. */
  readonly hessian?: Float64Array;
}

/**
 * Reason why a search ended: no step gains more than the tolerance, the maximum number of iterations, or an interrupt.
 */
export type Stopped = 'tolerance' | 'iterations' | 'interrupted';

export interface Ends {
  /** Ends of all starts, best first. */
  readonly ends: readonly End[];
  readonly stopped: Stopped;
  /** First gradient of the search that exploded; undefined if none did. */
  readonly exploded?: GradientExplosion;
  /** Final losses of the starts; `lastGain`: gain of the last hop allowed if every hop gained something, else null. */
  readonly restarts?: { readonly starts: readonly number[]; readonly lastGain: number | null };
}

/** An exploded gradient: the point of the search, and the length of run at which it happens. */
export interface GradientExplosion {
  readonly x: Float64Array;
  /** Euclidean norm of the gradient in natural steps; null if it is not finite. */
  readonly length: number | null;
  /** Norm of the gradient at the start of the search; null if it was not finite. */
  readonly startNorm: number | null;
  /**
   * Length of run beyond which the gradient explodes, in substeps (`of` all) and seconds; null if the run cannot be
   * shortened.
   */
  readonly horizon: { readonly substeps: number; readonly of: number; readonly seconds: number } | null;
}

/** Properties of an iteration that only some methods report. */
export interface IterationNotes {
  /** Original Euclidean norm, in natural steps, of the longest gradient that {@link SearchOptions.clip} shortened. */
  readonly clipped?: number;
  /** Number of worlds that were excluded, since their run or gradient was not finite; undefined for none. */
  readonly exploded?: number;
  /** Distance from the goal of the start that is best so far; for gradient methods and problems with a goal. */
  readonly distance?: number;
}

/** One iteration in the history of a search. */
export interface Iteration extends IterationNotes {
  readonly iteration: number;
  /** Loss of the start that is best so far. */
  readonly loss: number;
  /** Share of the frames that the loss covers, 0 to 1, see {@link SearchOptions.horizons}. */
  readonly horizon: number;
  /** Parameter values of the start that is best so far, by name. */
  readonly parameters: Readonly<Record<string, number>>;
  /** Time since the start of the estimation, s. */
  readonly seconds: number;
}

/** End of a search. */
export interface SearchEnd extends Ends {
  readonly history: readonly Iteration[];
  /** Options of the last search, see {@link SearchOptions}. */
  readonly options: Readonly<Record<'starts' | 'scan' | 'hops', number>>;
  /**
   * Mean of squared residuals at this end with which its loss, priors included, would be that of an earlier search's end;
   * undefined if there was none.
   */
  readonly reachedMeanSquare?: number;
}

/** Values of unknowns, by name, in the units of the problem. */
export interface Point {
  readonly parameters?: Readonly<Record<string, number>>;
  /** Values of arrays, flat [frame or window][element][component]. */
  readonly arrays?: Readonly<Record<string, ArrayLike<number>>>;
}

/** Result of a search: the values of the best end, with all ends in the coordinates of the search. */
export interface Found extends SearchEnd, Required<Point> {
  readonly loss: number;
}
