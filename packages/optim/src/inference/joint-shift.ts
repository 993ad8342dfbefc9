import { symmetricEigen } from '@gradsim/numeric/decompositions';
import { eachPrior } from '../objective/priors.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';
import { ratioTail } from './significance.ts';
import type { Uncertainty } from './uncertainty.ts';

/** Shifts of unknowns with a prior from its mean, taken together. */
export interface JointShift {
  /** Chance that a right model shifts all of them as far. */
  readonly chance: number;
  /** The largest of one, in the standard deviations that a right model gives it. */
  readonly largest: number;
  /** Shift of each in standard deviations of its prior, the largest first. */
  readonly shifts: readonly { readonly name: string; readonly off: number }[];
}

/**
 * Share of the information about a direction that must come from the observations, not the prior, for the direction to
 * count.
 */
const SEEN = 0.5;
/** Variance of a shift, relative to its prior's, below which it is rounding. */
const MIN_VARIANCE = 1e-6;

/**
 * Probability of shifts d of single numbers from their priors' means, in standard deviations, under a right model. Their
 * covariance is V = I - 2 B + C, with A^-1 and the covariance of the unknowns in the same units as B and C: with the information H
 * of residuals r and D of priors, A = H + D, the estimate is off the truth by A^-1 (D (m - truth) + J^T r / v), so d is
 * (I - B) times what the means are off, of covariance I, and what residuals add, C - B^2. Along the eigenvectors of V that are
 * kept, two tests: d^T V^+ d is chi square, and sees many that are off; the largest of d_k^2 / V_kk is that of a normal number
 * for each eigenvector, and sees one that is off, whose error goes to others too (data snooping; W. Baarda, 1968).
 *
 * @returns null where there is no such direction.
 */
export function jointShift(
  unknowns: Unknowns,
  x: Float64Array,
  { inverse, covariance }: Pick<Uncertainty, 'inverse' | 'covariance'>,
): JointShift | null {
  const n = unknowns.count;
  const { names } = unknowns;
  const held = unknowns.held(x);
  const single = new Set(
    unknowns.blocks.flatMap(({ first, isArray, isByValues }) => (isArray || isByValues ? [] : [first])),
  );
  const asked: { readonly k: number; readonly off: number; readonly slope: number }[] = [];
  eachPrior(unknowns, x, (k, off, slope) => {
    if (single.has(k) && held[k] === 0) asked.push({ k, off, slope });
  });
  const q = asked.length;
  const expected = new Float64Array(q * q);
  for (const [i, one] of asked.entries())
    for (const [j, other] of asked.entries()) {
      const at = one.k * n + other.k;
      expected[i * q + j] = Number(i === j) + one.slope * other.slope * (covariance[at] - 2 * inverse[at]);
    }
  const { values, vectors } = symmetricEigen(expected);
  const kept = [...values.keys()].filter((k) => values[k] > SEEN);
  if (kept.length === 0) return null;
  const along = kept.map((k) => asked.reduce((total, { off }, i) => total + vectors[k][i] * off, 0));
  const all = kept.reduce((sum, k, at) => sum + along[at] ** 2 / values[k], 0);
  // Each shift in the standard deviations that it has by what was seen, which is all that is known of one that hardly moves.
  const each = asked.map((_, i) => {
    const shift = kept.reduce((sum, k, at) => sum + vectors[k][i] * along[at], 0);
    const variance = kept.reduce((sum, k) => sum + vectors[k][i] ** 2 * values[k], 0);
    return variance > MIN_VARIANCE ? shift ** 2 / variance : 0;
  });
  const chance = ratioTail(all / kept.length, kept.length, Number.POSITIVE_INFINITY);
  const shifts = asked.map(({ k, off }) => ({ name: names[k], off })).sort((a, b) => Math.abs(b.off) - Math.abs(a.off));
  return { chance, largest: Math.sqrt(Math.max(...each)), shifts };
}
