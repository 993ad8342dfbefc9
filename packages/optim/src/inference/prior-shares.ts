import type { Block } from '../unknowns/block.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';
import type { Uncertainty } from './uncertainty.ts';

/**
 * Parts of an unknown's standard error that the priors of others make, by their names: the root of what its variance would
 * lose were the other known exactly, c_ij^2 / c_jj by the covariance c of all; of its own prior all of it.
 *
 * @param counts the unknowns that are asked for: those that are given, or those that have a prior.
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

/** The largest of such parts, with its name; nothing where there are none. */
export const largestShare = (shares: Readonly<Record<string, number>>): [string, number] | undefined =>
  Object.entries(shares).sort(([, a], [, b]) => b - a)[0];
