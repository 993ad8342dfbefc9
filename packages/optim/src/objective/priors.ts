import type { Block } from '../unknowns/block.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';
import type { Residuals } from './residuals.ts';
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

/** Number of independent residuals, and the loss of their least variance, against which priors are weighed. */
type Weighing = Pick<Residuals, 'count' | 'leastLoss'>;

/**
 * Factor of the mean of squared residuals L by priors, and its derivative with respect to `share` = P / n, with the sum P of
 * squared deviations and the number n of independent residuals. Beyond P = n it continues as a straight line, to avoid overflow.
 */
function priorFactor(share: number): { readonly factor: number; readonly slope: number } {
  if (share <= 1) return { factor: Math.exp(share), slope: Math.exp(share) };
  return { factor: Math.E * share, slope: Math.E };
}

/**
 * Loss with priors, and its derivatives with respect to L and P. Residuals of unknown variance have the likelihood L^(-n / 2), so
 * log L + P / n is minimised, or L exp(P / n). Where L is below the loss s of their least variance, that is their variance:
 * log s + L / s - 1 + P / n is minimised, or L + s P / n up to s.
 *
 * @param loss L.
 * @param sum P.
 */
export function withPriors(loss: number, sum: number, { count, leastLoss }: Weighing) {
  const variance = Math.max(loss, leastLoss);
  const isKnown = loss < leastLoss;
  const below = isKnown ? 1 - loss / leastLoss : 0;
  const share = sum / count - below;
  if (share <= 0) return { loss: loss + (variance * sum) / count, ofLoss: 1, ofPriors: variance / count };
  const { factor, slope } = priorFactor(share);
  return { loss: variance * factor, ofLoss: isKnown ? slope : factor, ofPriors: (variance * slope) / count };
}

/** Inverse of {@link withPriors}: the mean of squared residuals for which the loss with priors is the given one. */
export function withoutPriors(total: number, sum: number, { count, leastLoss }: Weighing): number {
  const share = sum / count;
  const loss = total / priorFactor(share).factor;
  if (loss >= leastLoss) return loss;
  const above = total / leastLoss;
  if (above <= 1) return total - leastLoss * share;
  return leastLoss * (1 - share + (above <= Math.E ? Math.log(above) : above / Math.E));
}

/**
 * Adds priors to a least-squares system: each prior is a further residual, (value - mean) / standard deviation, in
 * units of the present standard deviation of the residuals, at least the stated one.
 */
export function addPriors(system: System, unknowns: Unknowns, x: ArrayLike<number>, weighing: Weighing): System {
  const unit = Math.max(system.loss, weighing.leastLoss) / weighing.count;
  const sum = addPriorSlopes(system, unknowns, x, unit);
  system.loss = withPriors(system.loss, sum, weighing).loss;
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
