import { studentFactor } from '../inference/correlation.ts';
import type { MemberSystem } from './member.ts';
import { inverseTimes, reduced } from './shared-step.ts';

/** Uncertainty of a shared parameter. */
export interface SharedError {
  /** Infinite if nothing determines it; null with too few recordings. */
  readonly standardError: number | null;
  /** Half-width of its 95 % interval. */
  readonly reach: number | null;
}

/** Minimum number of recordings beyond the number of shared parameters. */
const MIN_FREEDOM = 2;

/**
 * Standard errors from the disagreement of the recordings: their scores are independent, whatever the correlation of
 * residuals within one. With the information H of all and the scores u_r, it is H^-1 (R / (R - p) sum u_r u_r^T) H^-1
 * (the sandwich over clusters, K.-Y. Liang and S. L. Zeger, 1986).
 *
 * @param slopes d value / d coordinate of the shared unknowns.
 */
export function sharedErrors(systems: readonly MemberSystem[], slopes: readonly number[]): SharedError[] {
  const count = slopes.length;
  const freedom = systems.length - count;
  if (freedom < MIN_FREEDOM) return slopes.map(() => ({ standardError: null, reach: null }));
  const parts = systems.map((system) => reduced(system, 0));
  const information = slopes.map((_, i) =>
    slopes.map((__, j) => parts.reduce((sum, part) => sum + part.information[i][j], 0)),
  );
  return slopes.map((slope, i) => {
    if (!(information[i][i] > 0)) return { standardError: Number.POSITIVE_INFINITY, reach: Number.POSITIVE_INFINITY };
    const row = inverseTimes(
      information,
      slopes.map((_, k) => Number(k === i)),
    );
    const squares = parts.reduce((sum, { score }) => sum + score.reduce((s, u, k) => s + u * row[k], 0) ** 2, 0);
    const standardError = Math.abs(slope) * Math.sqrt((squares * systems.length) / freedom);
    return { standardError, reach: studentFactor(freedom) * standardError };
  });
}
