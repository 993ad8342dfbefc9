import type { Estimate } from '../result.ts';
import { solveSymmetric } from './shared-step.ts';

/** Largest number of residuals for one independent value that is tried. */
const MOST = 1e6;
/** Number of bisections. */
const ROUNDS = 60;

/** Point of a recording's unknowns, with what its residuals and its priors tell about them. */
interface Alone {
  /** J^T J over the residual variance, flat, of all unknowns. */
  readonly information: ArrayLike<number>;
  /** Information of all priors, those of shared parameters too, about each unknown. */
  readonly priors: ArrayLike<number>;
  /** Indices of the shared unknowns, and derivatives of their values by the coordinates. */
  readonly places: readonly number[];
  readonly slopes: readonly number[];
}

/**
 * Number of residuals that count as one independent value, by which the standard errors of the shared parameters are those
 * that the estimate from the recording alone has: it knows how its residuals are correlated, and how small errors can be.
 * Without standard errors 1.
 */
export function residualsAValue(
  { information, priors, places, slopes }: Alone,
  shared: readonly string[],
  { parameters }: Pick<Estimate, 'parameters'>,
): number {
  const n = priors.length;
  const errorAt = (count: number, i: number): number => {
    const matrix = Array.from({ length: n }, (_, a) =>
      Array.from({ length: n }, (__, b) => information[a * n + b] / count + (a === b ? priors[a] : 0)),
    );
    const row = solveSymmetric(
      matrix,
      Array.from({ length: n }, (_, k) => Number(k === places[i])),
    );
    return Math.abs(slopes[i]) * Math.sqrt(Math.max(row[places[i]], 0));
  };
  const counts = shared.flatMap((name, i) => {
    const { standardError = null, ofGiven = {} } = parameters[name] ?? {};
    if (standardError === null || !Number.isFinite(standardError)) return [];
    // Given quantities have errors of their own, which are added at the end.
    const square = standardError ** 2 - Object.values(ofGiven).reduce((sum, part) => sum + part * part, 0);
    if (!(square > 0)) return [];
    let [low, high] = [0, Math.log(MOST)];
    for (let k = 0; k < ROUNDS; k++) {
      const middle = (low + high) / 2;
      if (errorAt(Math.exp(middle), i) ** 2 < square) low = middle;
      else high = middle;
    }
    return [Math.exp(low)];
  });
  return Math.max(1, ...counts);
}
