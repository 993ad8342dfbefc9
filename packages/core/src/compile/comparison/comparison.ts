import type { FieldKey } from '../../model/references.ts';

/**
 * Targets for a recorded field, which the device compares with the results of a run: residuals r = w (shown - target),
 * with `shown` the mean of the field over the instants of a frame, and the sums r^T r, with a Jacobian J also J^T r and
 * J^T J.
 */
export interface Comparison {
  /** The compared field: a recorded field of floats. */
  readonly field: FieldKey;
  /**
   * Number of successive simulation frames whose mean is compared with one target (exposure). It divides the
   * simulation's number of frames.
   */
  readonly instants: number;
  /** Frames that have a target, ascending, counted in groups of `instants` simulation frames. */
  readonly frames: readonly ComparedFrame[];
  /**
   * Number of the field's first components that are compared; targets and weights are of these. Default: all.
   */
  readonly components?: number;
  /**
   * True if the field holds orientations (quaternions): r is then w times the rotation vector, three components in
   * radians, from the quaternion `target` to the one shown. `instants` is 1.
   */
  readonly isRotation?: boolean;
}

export interface ComparedFrame {
  readonly frame: number;
  /** Targets times root weights, [compared component][element]; for rotations, quaternions without weights. */
  readonly target: ArrayLike<number>;
  /** Square roots of the weights, w, [compared component][element] of a residual; null where all are 1. */
  readonly rootWeights: ArrayLike<number> | null;
}

/** Comparisons that a simulation computes after a run, and how. */
export interface Comparisons {
  readonly list: readonly Comparison[];
  /**
   * Number of columns of a Jacobian J, with tangents: derivatives of one run with respect to that many unknowns.
   * Default 1.
   */
  readonly columns?: number;
  /**
   * Number of neighbouring worlds that run identically and together hold the columns of one Jacobian: column c is
   * tangent floor(c / worldsOfRun) of the (c % worldsOfRun)-th of them. It divides the number of worlds. Default: the
   * fewest whose tangents hold all columns.
   */
  readonly worldsOfRun?: number;
  /** Number of ranges into which the elements of each frame are divided, each with its own sums. Default 1. */
  readonly parts?: number;
}
