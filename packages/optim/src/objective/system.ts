/** A least-squares system: the mean of squared residuals, J^T J, and J^T r, all divided by the sum of weights. */
export interface System {
  loss: number;
  readonly hessian: Float64Array;
  readonly gradient: Float64Array;
}
