/** A least-squares system: the mean of squares, J^T J and J^T r over the sum of weights. */
export interface System {
  loss: number;
  readonly hessian: Float64Array;
  readonly gradient: Float64Array;
}
