import { studentFactor } from '../inference/correlation.ts';
import type { MemberSystem } from './member.ts';
import { inverseTimes, reduced } from './shared-step.ts';

/** How sure a shared parameter is. */
export interface SharedError {
  /** Infinite where nothing determines it; null where there are too few recordings to tell. */
  readonly standardError: number | null;
  /** To either side, what holds it with 95 %. */
  readonly reach: number | null;
}

/** Recordings beyond the number of shared parameters, at least. */
const LEAST_FREEDOM = 2;

/**
 * Standard errors from how far the recordings disagree: their scores, each what one of them wants changed, are independent,
 * however residuals go together within one. With the information H of all and the scores u_r, it is H^-1 (R / (R - p) sum u_r
 * u_r^T) H^-1 (the sandwich over clusters, K.-Y. Liang and S. L. Zeger, 1986).
 *
 * @param slopes d value / d coordinate of what is shared.
 */
export function sharedErrors(systems: readonly MemberSystem[], slopes: readonly number[]): SharedError[] {
  const count = slopes.length;
  const freedom = systems.length - count;
  if (freedom < LEAST_FREEDOM) return slopes.map(() => ({ standardError: null, reach: null }));
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
