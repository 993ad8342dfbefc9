import { priorInformation } from '../objective/priors.ts';
import type { Uncertainty } from '../posterior/uncertainty.ts';
import type { Block } from '../unknowns/block.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';

/**
 * Parts of an unknown's standard error due to the priors of other unknowns, by the names of these. A part is the square
 * root of the variance that would vanish if the other unknown were known exactly, c_ij^2 / c_jj with the covariance c
 * of all unknowns. For the unknown's own prior it is the square root of the prior's share of what is known of it.
 *
 * @param counts returns whether to include an unknown: for example only given quantities, or those with a prior.
 */
export function sharesOf(
  { covariance }: Pick<Uncertainty, 'covariance'>,
  unknowns: Unknowns,
  x: Float64Array,
  i: number,
  counts: (block: Block) => boolean,
): Record<string, number> {
  const n = unknowns.count;
  const slope = Math.abs(unknowns.derivatives(x)[i]);
  const ofPriors = priorInformation(unknowns, x);
  return Object.fromEntries(
    unknowns.blocks
      .filter((block) => !block.isArray && counts(block))
      .map(({ name, first: j }) => {
        const own = covariance[j * (n + 1)];
        if (!(own > 0)) return [name, 0];
        if (i === j) return [name, slope * Math.sqrt(own * Math.min(1, own * ofPriors[i]))];
        return [name, (slope * Math.abs(covariance[i * n + j])) / Math.sqrt(own)];
      }),
  );
}

/** Name and value of the largest of these parts; undefined if there are none. */
export const largestShare = (shares: Readonly<Record<string, number>>): [string, number] | undefined =>
  Object.entries(shares).sort(([, a], [, b]) => b - a)[0];
