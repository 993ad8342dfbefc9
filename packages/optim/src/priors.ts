import type { Unknowns } from './unknowns.ts';

/** A least-squares system: the mean of squares, J^T J and J^T r over the sum of weights. */
export interface System {
  loss: number;
  readonly hessian: Float64Array;
  readonly gradient: Float64Array;
  /** J^T r of each frame by itself, as sums: what standard errors take correlated residuals from. */
  scores: Float64Array[];
}

/**
 * Adds what is known beforehand: a prior is one more residual, (value - mean) / standard deviation, in units of the
 * present residual's standard deviation.
 *
 * @param count number of residuals.
 */
export function addPriors(system: System, unknowns: Unknowns, x: ArrayLike<number>, count: number): System {
  const variance = system.loss / count;
  unknowns.list.forEach(({ spec, coordinate }, k) => {
    if (!spec.prior) return;
    const share = variance / spec.prior.standardDeviation ** 2;
    const slope = coordinate.derivative(x[k]);
    const off = coordinate.toValue(x[k]) - spec.prior.mean;
    system.loss += share * off * off;
    system.gradient[k] += share * off * slope;
    system.hessian[k * unknowns.count + k] += share * slope * slope;
  });
  return system;
}
