import type { FieldKey } from '../../model/references.ts';

/**
 * Targets for a recorded field, which the device compares with what a run shows: residuals r = w (shown - target), where
 * `shown` is the mean over the instants of a frame, and their sums.
 */
export interface Comparison {
  /** A recorded field of floats. */
  readonly field: FieldKey;
  /** Frames of the simulation whose mean is compared with one target (exposure). They divide its number of frames. */
  readonly instants: number;
  /** Frames that are compared, ascending, counted in frames of `instants`. */
  readonly frames: readonly ComparedFrame[];
  /**
   * Whether the field holds orientations (quaternions): r is then w times the rotation vector from `target`, a quaternion, to
   * what is shown, three components in radians. `instants` is 1.
   */
  readonly isRotation?: boolean;
}

export interface ComparedFrame {
  readonly frame: number;
  /** Targets times root weights, [component][element]; of rotations quaternions without weights, [component][element]. */
  readonly target: ArrayLike<number>;
  /** Roots of the weights, w, [component][element] of a residual; null where all are 1. */
  readonly rootWeights: ArrayLike<number> | null;
}

/** Comparisons that a simulation makes after a run. */
export interface Comparisons {
  readonly of: readonly Comparison[];
  /** With tangents: columns of one Jacobian J, the derivatives of one run along as many unknowns. Default 1. */
  readonly columns?: number;
  /**
   * Neighbouring worlds that hold them and run alike: column c is tangent floor(c / worldsOfRun) of world c % worldsOfRun of
   * these. It divides the number of worlds. Default: as few as have tangents for all columns.
   */
  readonly worldsOfRun?: number;
  /** Ranges of elements that each frame is cut into, which have sums of their own. Default 1. */
  readonly parts?: number;
}
