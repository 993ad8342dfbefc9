import { symmetricEigen } from '@gradsim/base/decompositions';
import { ratioTail } from '../noise/significance.ts';
import { eachPrior } from '../objective/priors.ts';
import type { Uncertainty } from '../posterior/uncertainty.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';

/** Shifts of several unknowns from the means of their priors, tested jointly. */
export interface JointShift {
  /** Probability that shifts at least as large occur if the model is correct. */
  readonly pValue: number;
  /** Largest single shift, in units of the standard deviation that it has if the model is correct. */
  readonly largest: number;
  /** Shift `off` of each unknown, in standard deviations of its prior, the largest first. */
  readonly shifts: readonly { readonly name: string; readonly deviation: number }[];
}

/**
 * Minimum share of the information about a direction that comes from the observations, not from priors, for the
 * direction to be included in the test.
 */
const MIN_OBSERVED_SHARE = 0.5;
/** Variance of a shift, relative to its prior's, below which the shift is only rounding. */
const MIN_VARIANCE = 1e-6;

/**
 * Tests whether the shifts d of unknowns from the means m of their priors, in standard deviations, are compatible with
 * a correct model. Let H be the information of the residuals r, D that of the priors, A = H + D, and v the variance of
 * an independent residual. The estimate deviates from the truth by A^-1 (D (m - truth) + J^T r / v), so the covariance
 * of d is V = I - 2 B + C, with B = A^-1 and C = the covariance of the unknowns, both in units of the priors' standard
 * deviations. Along the eigenvectors of V that are kept there are two tests. d^T V^+ d is chi-square distributed and
 * detects many moderate shifts. Each d_k^2 / V_kk is the square of a standard normal number; the largest detects a
 * single large shift, even though it also affects others (data snooping; W. Baarda, 1968).
 *
 * @returns null if no direction is kept.
 */
export function jointShift(
  unknowns: Unknowns,
  x: Float64Array,
  { inverse, covariance }: Pick<Uncertainty, 'inverse' | 'covariance'>,
): JointShift | null {
  const n = unknowns.count;
  const { names } = unknowns;
  const activeBounds = unknowns.activeBounds(x);
  const single = new Set(
    unknowns.blocks.flatMap(({ first, isArray, isByValues }) => (isArray || isByValues ? [] : [first])),
  );
  const asked: { readonly k: number; readonly deviation: number; readonly slope: number }[] = [];
  eachPrior(unknowns, x, (k, deviation, slope) => {
    if (single.has(k) && activeBounds[k] === 0) asked.push({ k, deviation, slope });
  });
  const q = asked.length;
  const expected = new Float64Array(q * q);
  for (const [i, one] of asked.entries())
    for (const [j, other] of asked.entries()) {
      const at = one.k * n + other.k;
      expected[i * q + j] = Number(i === j) + one.slope * other.slope * (covariance[at] - 2 * inverse[at]);
    }
  const { values, vectors } = symmetricEigen(expected);
  const kept = [...values.keys()].filter((k) => values[k] > MIN_OBSERVED_SHARE);
  if (kept.length === 0) return null;
  const along = kept.map((k) => asked.reduce((total, { deviation }, i) => total + vectors[k][i] * deviation, 0));
  const all = kept.reduce((sum, k, at) => sum + along[at] ** 2 / values[k], 0);
  // Each shift in the standard deviations that it has by what was seen, which is all that is known of one that hardly moves.
  const each = asked.map((_, i) => {
    const shift = kept.reduce((sum, k, at) => sum + vectors[k][i] * along[at], 0);
    const variance = kept.reduce((sum, k) => sum + vectors[k][i] ** 2 * values[k], 0);
    return variance > MIN_VARIANCE ? shift ** 2 / variance : 0;
  });
  const pValue = ratioTail(all / kept.length, kept.length, Number.POSITIVE_INFINITY);
  const shifts = asked
    .map(({ k, deviation }) => ({ name: names[k], deviation }))
    .sort((a, b) => Math.abs(b.deviation) - Math.abs(a.deviation));
  return { pValue, largest: Math.sqrt(Math.max(...each)), shifts };
}
