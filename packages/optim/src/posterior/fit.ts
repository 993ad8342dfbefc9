/** Goodness of fit: how well the model reproduces the observations. */
export interface Fit {
  /** Number of compared values over all observations and frames. */
  readonly values: number;
  /**
   * Number of independent values with the same information, from the measured correlation of residuals over pixels and
   * frames; null without standard errors, or with too little data to measure it.
   */
  readonly independent: number | null;
  /** Fit to each observation, in the order of the problem. */
  readonly observations: readonly ObservationFit[];
}

export interface ObservationFit {
  readonly field: string;
  /**
   * Share of the target's changes that the model reproduces, 1 for all of them. Changes are those over time or
   * differences from the mean, whichever gives the larger share; 0 means no better than a still picture or a constant.
   * Noise is subtracted. Null if the target has no changes.
   */
  readonly explained: number | null;
  /** True if the residuals are so small that the model is exact up to rounding and the size of substeps. */
  readonly isExact: boolean;
  /**
   * Root mean squares of the changes over time, in target and model, of each value from its mean, in the unit of the
   * residuals.
   */
  readonly motion: Readonly<Record<'target' | 'model', number>>;
  /**
   * Share of the target's deviation from its background that the model's covers, value by value and frame by frame, 0
   * to 1, at the first initial values (null if the model cannot be run there) and at the estimate. Null for states,
   * which change in most frames, and if nothing moves.
   */
  readonly overlap: { readonly start: number | null; readonly end: number } | null;
  /**
   * Share of the target's changes, 0 to 1, at values that never change in the model. Null under the conditions of
   * `overlap`.
   */
  readonly elsewhere: number | null;
  /**
   * Standard deviation of the target's noise, measured from its changes between frames, in the unit of the residuals;
   * null with fewer than 6 frames.
   */
  readonly noise: number | null;
  /**
   * Standard deviation of the noise that the observation states, in the unit of the residuals; undefined if it states
   * none.
   */
  readonly expected?: number;
  /** True if the stated noise is a lower bound. */
  readonly isLeast?: boolean;
  /** Numbers of the compared frames; `residuals`: root mean square of each frame's residuals. */
  readonly frames: readonly number[];
  readonly residuals: readonly number[];
}
