import { upperMedian } from '@gradsim/base';
import { solveSymmetric } from './solve-symmetric.ts';

/** Largest number of residuals for one independent value that is tried. */
const MAX_RESIDUALS = 1e6;
/** Number of bisections. */
const BISECTIONS = 30;
/** Least growth of a standard error with twice the number for which it tells the number; it is 1.41 without priors. */
const LEAST_GROWTH = 1.19;

/** Information of residuals and priors of a recording about its unknowns, and the standard errors of the estimate from it alone. */
interface Alone {
  /** J^T J over the residual variance, flat, of all unknowns, those of given quantities too. */
  readonly information: ArrayLike<number>;
  /** Information of all priors and tolerances about each of them. */
  readonly priors: ArrayLike<number>;
  /** Standard error of each in its coordinate; null where it has none. */
  readonly errors: readonly (number | null)[];
}

/**
 * Number of residuals that count as one independent value, by which standard errors are those of the estimate from the
 * recording alone: it knows how its residuals are correlated, and how small errors can be. The median over the unknowns that
 * residuals determine, rather than priors; without standard errors 1.
 */
export function residualsPerIndependent({ information, priors, errors }: Alone): number {
  const n = priors.length;
  const errorAt = (count: number, i: number): number => {
    const matrix = Array.from({ length: n }, (_, a) =>
      Array.from({ length: n }, (__, b) => information[a * n + b] / count + (a === b ? priors[a] : 0)),
    );
    const row = solveSymmetric(
      matrix,
      Array.from({ length: n }, (_, k) => Number(k === i)),
    );
    return Math.sqrt(Math.max(row[i], 0));
  };
  const counts = errors.flatMap((error, i) => {
    if (error === null || !(error > 0) || !Number.isFinite(error)) return [];
    let [low, high] = [0, Math.log(MAX_RESIDUALS)];
    for (let k = 0; k < BISECTIONS; k++) {
      const middle = (low + high) / 2;
      if (errorAt(Math.exp(middle), i) < error) low = middle;
      else high = middle;
    }
    const count = Math.exp(low);
    return errorAt(2 * count, i) > LEAST_GROWTH * errorAt(count, i) ? [count] : [];
  });
  return counts.length === 0 ? 1 : upperMedian(counts);
}
