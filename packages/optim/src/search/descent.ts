/** A descent from one point: it requests the loss at points, and is given it. */
export interface Descent {
  /** Point at which the loss and its gradient are needed next. */
  readonly point: Float64Array;
  /**
   * Takes the loss at `point`, and d loss / d coordinate; a loss that is not finite marks a point that went too far.
   */
  tell(loss: number, gradient: ArrayLike<number>): void;
  /** True if it has converged. */
  readonly isDone: boolean;
}
