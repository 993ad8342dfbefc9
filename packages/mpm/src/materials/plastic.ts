import type { F32, Mat33 } from '@gradsim/core';
import { min, select } from '@gradsim/core';
import type { Hencky } from '../tensors.ts';
import { deviator, frobenius, joined, spherical } from '../tensors.ts';
import type { Lame } from './moduli.ts';

/** tau = 2 G dev(e) + (L + 2/3 G) tr(e) of a Hencky strain e: Hencky, 1928. `trace` stands for tr(e). */
export const henckyStress = (strain: Mat33, trace: F32, { G, L }: Lame): Mat33 =>
  deviator(strain)
    .mul(G.mul(2))
    .add(spherical(L.add(G.mul(2 / 3)).mul(trace)));

/**
 * Strain whose deviator is shortened to a largest norm: return to the yield surface at constant volume, where G is the
 * same in all directions.
 */
export function shortenStrain({ trace, deviator }: Hencky, most: F32): Mat33 {
  const size = frobenius(deviator);
  const isOver = size.gt(most);
  const scale = select(isOver, min(most.div(select(isOver, size, 1)), 1), 1);
  return joined({ trace, deviator: deviator.mul(scale) });
}
