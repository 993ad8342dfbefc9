/** A way down from one point: it says where it wants to know the loss, and is told. */
export interface Descent {
  /** Where the loss and its gradient are wanted next. */
  readonly point: Float64Array;
  /** Takes the loss at `point`, and d loss / d coordinate; a loss that is not finite is a point that went too far. */
  tell(loss: number, gradient: ArrayLike<number>): void;
  /** Whether it has come to its end. */
  readonly isDone: boolean;
}
