import { studentFactor } from '../noise/correlation.ts';
import type { JointRecordingSystem } from './member.ts';
import { eliminateOwn } from './shared-step.ts';
import { solveSymmetric } from './solve-symmetric.ts';

/** Uncertainty of a shared parameter. */
export interface SharedError {
  /** Standard error; infinite if nothing determines the parameter, null with too few recordings. */
  readonly standardError: number | null;
  /** Half-length of the 95 % interval; null with too few recordings. */
  readonly halfLength: number | null;
}

/** Minimum excess of the number of recordings over the number of shared parameters for which errors are computed. */
export const MIN_FREEDOM = 2;

/**
 * Standard errors from the disagreement of the recordings, whose scores are independent of each other however residuals
 * are correlated within one. With the information H of all R recordings and their scores u_r for p shared parameters,
 * the covariance is H^-1 (R / (R - p) sum u_r u_r^T) H^-1 (the sandwich over clusters, K.-Y. Liang and S. L. Zeger,
 * 1986).
 *
 * @param slopes derivatives d value / d coordinate of the shared unknowns.
 */
export function sharedErrors(systems: readonly JointRecordingSystem[], slopes: readonly number[]): SharedError[] {
  const count = slopes.length;
  const freedom = systems.length - count;
  if (freedom < MIN_FREEDOM) return slopes.map(() => ({ standardError: null, halfLength: null }));
  const parts = systems.map((system) => eliminateOwn(system, 0));
  const information = slopes.map((_, i) =>
    slopes.map((__, j) => parts.reduce((sum, part) => sum + part.information[i][j], 0)),
  );
  return slopes.map((slope, i) => {
    if (!(information[i][i] > 0))
      return { standardError: Number.POSITIVE_INFINITY, halfLength: Number.POSITIVE_INFINITY };
    const row = solveSymmetric(
      information,
      slopes.map((_, k) => Number(k === i)),
    );
    const squares = parts.reduce((sum, { score }) => sum + score.reduce((s, u, k) => s + u * row[k], 0) ** 2, 0);
    const standardError = Math.abs(slope) * Math.sqrt((squares * systems.length) / freedom);
    return { standardError, halfLength: studentFactor(freedom) * standardError };
  });
}
