import type { Block } from '../unknowns/block.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';
import type { System } from './system.ts';

/**
 * Visits each unknown with a prior: its deviation from the mean in standard deviations, and the derivative of that; 0
 * for one that is found by values alone, which no step moves.
 */
export function eachPrior(
  unknowns: Unknowns,
  x: ArrayLike<number>,
  visit: (k: number, off: number, slope: number) => void,
): void {
  for (const { first, count, prior, coordinate, isByValues } of unknowns.blocks) {
    if (!prior) continue;
    const { mean, standardDeviation } = prior;
    for (let k = 0; k < count; k++) {
      const at = x[first + k];
      const off = (coordinate.toValue(at) - mean[k]) / standardDeviation;
      visit(first + k, off, isByValues ? 0 : coordinate.derivative(at) / standardDeviation);
    }
  }
}

/** Sum of squared deviations from the means of priors, in standard deviations, and its gradient. */
export function priorSquares(
  unknowns: Unknowns,
  x: ArrayLike<number>,
): { readonly sum: number; readonly gradient: Float64Array } {
  let sum = 0;
  const gradient = new Float64Array(unknowns.count);
  eachPrior(unknowns, x, (k, off, slope) => {
    sum += off * off;
    gradient[k] += 2 * off * slope;
  });
  return { sum, gradient };
}

/** Deviation of unknowns from the mean of their prior, in standard deviations: for arrays the largest. */
export function priorsOff(unknowns: Unknowns, x: ArrayLike<number>): { name: string; off: number }[] {
  const all = new Map<number, number>();
  eachPrior(unknowns, x, (k, off) => all.set(k, off));
  return unknowns.blocks.flatMap(({ name, first, count, prior }) => {
    if (!prior) return [];
    const offs = Array.from({ length: count }, (_, k) => all.get(first + k)!);
    return [{ name, off: offs.reduce((most, off) => (Math.abs(off) > Math.abs(most) ? off : most), 0) }];
  });
}

/**
 * Information of priors about each coordinate: the inverse of its variance, 0 without a prior.
 * @param counts tests which unknowns' priors to include. Default all.
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
 * Factor of the mean of squares for priors with the sum of squares P = share * count, and its derivative with respect
 * to the share. Residuals of unknown variance have the likelihood L^(-n / 2) with the mean of squares L, so the
 * minimised function is log L + P / n, or L exp(P / n). Beyond P = n it continues by its tangent, to avoid overflow.
 */
export function priorFactor(share: number): { readonly factor: number; readonly slope: number } {
  if (share <= 1) return { factor: Math.exp(share), slope: Math.exp(share) };
  return { factor: Math.E * share, slope: Math.E };
}

/**
 * Adds priors to a system: a prior is one more residual, (value - mean) / standard deviation, in units of the present
 * residual's standard deviation.
 *
 * @param count number of independent residuals.
 */
export function addPriors(system: System, unknowns: Unknowns, x: ArrayLike<number>, count: number): System {
  const sum = addPriorSlopes(system, unknowns, x, system.loss / count);
  system.loss *= priorFactor(sum / count).factor;
  return system;
}

/**
 * Adds priors to a system of residuals of known variance.
 *
 * @param unit rise of the loss for one unit of twice the log-likelihood.
 */
export function addPriorsOfUnit(system: System, unknowns: Unknowns, x: ArrayLike<number>, unit: number): System {
  system.loss += unit * addPriorSlopes(system, unknowns, x, unit);
  return system;
}

/** Adds the derivatives of priors, and returns their sum of squares. */
function addPriorSlopes(system: System, unknowns: Unknowns, x: ArrayLike<number>, unit: number): number {
  let sum = 0;
  eachPrior(unknowns, x, (k, off, slope) => {
    sum += off * off;
    system.gradient[k] += unit * off * slope;
    system.hessian[k * unknowns.count + k] += unit * slope * slope;
  });
  return sum;
}
