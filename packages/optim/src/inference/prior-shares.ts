import type { Block } from '../unknowns/block.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';
import type { Uncertainty } from './uncertainty.ts';

/**
 * Parts of an unknown's standard error that come from the priors of others, by their names: the root of the variance it
 * would lose if the other were known exactly, c_ij^2 / c_jj by the covariance c of all; for its own prior, all of it.
 *
 * @param counts tests which unknowns to include: those that are given, or those that have a prior.
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
  return Object.fromEntries(
    unknowns.blocks
      .filter((block) => !block.isArray && counts(block))
      .map(({ name, first: j }) => {
        const own = covariance[j * (n + 1)];
        return [name, own > 0 ? (slope * Math.abs(covariance[i * n + j])) / Math.sqrt(own) : 0];
      }),
  );
}

/** Largest of such parts, with its name; null without any. */
export const largestShare = (shares: Readonly<Record<string, number>>): [string, number] | undefined =>
  Object.entries(shares).sort(([, a], [, b]) => b - a)[0];
