import type { FieldKey } from '../../model/references.ts';

/**
 * Targets for a recorded field, which the device compares with the results of a run: residuals r = w (shown - target),
 * where `shown` is the mean over the instants of a frame, and their sums.
 */
export interface Comparison {
  /** A recorded field of floats. */
  readonly field: FieldKey;
  /** Frames of the simulation whose mean is compared with one target (exposure). They divide its number of frames. */
  readonly instants: number;
  /** Compared frames, ascending, counted in frames of `instants`. */
  readonly frames: readonly ComparedFrame[];
  /**
   * True if the field holds orientations (quaternions): r is then w times the rotation vector, three components in
   * radians, from the quaternion `target` to the one shown. `instants` is 1.
   */
  readonly isRotation?: boolean;
}

export interface ComparedFrame {
  readonly frame: number;
  /**
   * Targets times root weights, [component][element]; for rotations, quaternions without weights, [component][element].
   */
  readonly target: ArrayLike<number>;
  /** Roots of the weights, w, [component][element] of a residual; null where all are 1. */
  readonly rootWeights: ArrayLike<number> | null;
}

/** Comparisons that a simulation makes after a run. */
export interface Comparisons {
  readonly of: readonly Comparison[];
  /**
   * Columns of one Jacobian J, with tangents: the derivatives of one run with respect to that many unknowns. Default 1.
   */
  readonly columns?: number;
  /**
   * Number of neighbouring worlds that hold the columns and run identically: column c is tangent floor(c / worldsOfRun)
   * of world c % worldsOfRun of these. It divides the number of worlds. Default: the fewest whose tangents hold all
   * columns.
   */
  readonly worldsOfRun?: number;
  /** Number of ranges that the elements of each frame are divided into, each with its own sums. Default 1. */
  readonly parts?: number;
}
