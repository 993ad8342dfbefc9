/** A least-squares system: the mean of squared residuals, J^T J, and J^T r, all divided by the sum of weights. */
export interface System {
  loss: number;
  readonly hessian: Float64Array;
  readonly gradient: Float64Array;
}

/** A least-squares system at a point of transformed unknowns. */
export interface BentSystem extends System {
  /**
   * By unknown, the part that J^T J lacks of the loss's second derivative because its value is a curved function of its coordinate, where
   * residuals are linear in the value: J^T r times the transform's bend.
   */
  readonly bends: Float64Array;
}
