import type { F32, Mat33 } from '@gradsim/core';
import { min, select } from '@gradsim/core';
import type { Hencky } from '../tensors.ts';
import { deviator, frobenius, spherical, strainOf } from '../tensors.ts';
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
export function shortenStrain({ trace, deviator }: Hencky, maxNorm: F32): Mat33 {
  const size = frobenius(deviator);
  const isOver = size.gt(maxNorm);
  const scale = select(isOver, min(maxNorm.div(select(isOver, size, 1)), 1), 1);
  return strainOf({ trace, deviator: deviator.mul(scale) });
}
