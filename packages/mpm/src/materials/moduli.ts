import type { F32 } from '@gradsim/core';
import { column, f32 } from '@gradsim/core';

/** Columns of Young's modulus and Poisson's ratio. */
export const MODULI = {
  youngsModulus: column(f32, { unit: 'Pa', range: 'positive' }),
  /** Above -1 and below 0.5. */
  poissonRatio: column(f32, {
    default: 0.3,
    range: { requirement: 'be above -1 and below 0.5', isMet: ([nu]: readonly number[]) => nu > -1 && nu < 0.5 },
  }),
} as const;

/** Lame's constants, Pa. */
export interface Lame {
  /** Shear modulus. */
  readonly G: F32;
  readonly L: F32;
}

/** G = E / (2 (1 + nu)), L = 2 G nu / (1 - 2 nu). */
export function lameOf({ youngsModulus, poissonRatio: nu }: { youngsModulus: F32; poissonRatio: F32 }): Lame {
  const G = youngsModulus.div(nu.add(1).mul(2));
  return { G, L: G.mul(nu).mul(2).div(nu.mul(-2).add(1)) };
}

/** L + 2 G, the modulus of a bar that cannot get thinner. */
export const pressureModulus = ({ G, L }: Lame): F32 => L.add(G.mul(2));
