/**
 * A descent from one point by reverse communication: the caller evaluates the loss at `point` and passes it to `acceptEvaluation`.
 */
export interface Minimiser {
  /** Point at which the loss and its gradient are to be evaluated next. */
  readonly point: Float64Array;
  /**
   * Accepts the loss at `point` and its gradient, d loss / d coordinate. A loss that is not finite rejects the point.
   */
  acceptEvaluation(loss: number, gradient: ArrayLike<number>): void;
  /** True if the descent has ended and needs no further evaluation. */
  readonly isDone: boolean;
}
