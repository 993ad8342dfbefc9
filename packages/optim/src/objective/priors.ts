import type { Block } from '../unknowns/block.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';
import type { System } from './system.ts';

/**
 * Calls a visitor for each coordinate with a prior: the value's deviation from the prior's mean in standard deviations,
 * and the derivative of the deviation. The derivative is 0 for an unknown found by values alone, which no step moves.
 */
export function eachPrior(
  unknowns: Unknowns,
  x: ArrayLike<number>,
  visit: (k: number, deviation: number, slope: number) => void,
): void {
  for (const { first, count, prior, coordinate, isByValues } of unknowns.blocks) {
    if (!prior) continue;
    const { mean, standardDeviation, isLogNormal } = prior;
    for (let k = 0; k < count; k++) {
      const value = coordinate.toValue(x[first + k]);
      const deviation = (isLogNormal ? Math.log(value / mean[k]) : value - mean[k]) / standardDeviation;
      const slope = coordinate.derivative(x[first + k]) / (isLogNormal ? value : 1) / standardDeviation;
      visit(first + k, deviation, isByValues ? 0 : slope);
    }
  }
}

/** Sum of squared deviations from the priors' means, in standard deviations, and its gradient. */
export function priorSquares(
  unknowns: Unknowns,
  x: ArrayLike<number>,
): { readonly sum: number; readonly gradient: Float64Array } {
  let sum = 0;
  const gradient = new Float64Array(unknowns.count);
  eachPrior(unknowns, x, (k, deviation, slope) => {
    sum += deviation * deviation;
    gradient[k] += 2 * deviation * slope;
  });
  return { sum, gradient };
}

/**
 * Deviation of each unknown from the mean of its prior, in standard deviations; for an array, the one of largest size.
 */
export function priorDeviations(unknowns: Unknowns, x: ArrayLike<number>): { name: string; deviation: number }[] {
  const all = new Map<number, number>();
  eachPrior(unknowns, x, (k, deviation) => all.set(k, deviation));
  return unknowns.blocks.flatMap(({ name, first, count, prior }) => {
    if (!prior) return [];
    const offs = Array.from({ length: count }, (_, k) => all.get(first + k)!);
    return [
      {
        name,
        deviation: offs.reduce((most, deviation) => (Math.abs(deviation) > Math.abs(most) ? deviation : most), 0),
      },
    ];
  });
}

/**
 * Information of the priors about each coordinate: 1 over the prior's variance, 0 without a prior.
 * @param counts returns whether to include an unknown's prior. Default: all.
 */
export function priorInformation(
  unknowns: Unknowns,
  x: ArrayLike<number>,
  counts: (block: Block) => boolean = () => true,
): Float64Array {
  const information = new Float64Array(unknowns.count);
  const asked = Uint8Array.from(unknowns.blocks.flatMap((block) => Array(block.count).fill(Number(counts(block)))));
  eachPrior(unknowns, x, (k, _, slope) => {
    information[k] = asked[k] * slope * slope;
  });
  return information;
}

/**
 * Factor by which priors multiply the mean of squared residuals L, and its derivative with respect to `share` = P / n,
 * with the sum P of squared deviations and the number n of independent residuals. Residuals of unknown variance have
 * the likelihood L^(-n / 2), so log L + P / n is minimised, or L exp(P / n). Beyond P = n the factor continues as a
 * straight line, to avoid overflow.
 */
export function priorFactor(share: number): { readonly factor: number; readonly slope: number } {
  if (share <= 1) return { factor: Math.exp(share), slope: Math.exp(share) };
  return { factor: Math.E * share, slope: Math.E };
}

/**
 * Adds priors to a least-squares system: each prior is a further residual, (value - mean) / standard deviation, in
 * units of the present standard deviation of the residuals.
 *
 * @param count number of independent residuals.
 */
export function addPriors(system: System, unknowns: Unknowns, x: ArrayLike<number>, count: number): System {
  const sum = addPriorSlopes(system, unknowns, x, system.loss / count);
  system.loss *= priorFactor(sum / count).factor;
  return system;
}

/**
 * Adds priors to a least-squares system of residuals of known variance.
 *
 * @param unit rise of the loss that corresponds to a fall of twice the log-likelihood by 1.
 */
export function addPriorsOfUnit(system: System, unknowns: Unknowns, x: ArrayLike<number>, unit: number): System {
  system.loss += unit * addPriorSlopes(system, unknowns, x, unit);
  return system;
}

/** Adds `unit` times the priors' gradient and Hessian to a system; returns the sum of squared deviations. */
function addPriorSlopes(system: System, unknowns: Unknowns, x: ArrayLike<number>, unit: number): number {
  let sum = 0;
  eachPrior(unknowns, x, (k, deviation, slope) => {
    sum += deviation * deviation;
    system.gradient[k] += unit * deviation * slope;
    system.hessian[k * unknowns.count + k] += unit * slope * slope;
  });
  return sum;
}
