import { describeValue, GradsimError } from '@gradsim/core';

/** Elastic moduli as engineers state them: Young's modulus and Poisson's ratio. */
export interface Moduli {
  /** Young's modulus, Pa. */
  readonly youngsModulus: number;
  /** Poisson's ratio, above -1 and below 0.5. */
  readonly poissonRatio: number;
}

/** Energy parameters of elements: `tets.mu` and `tets.lambda`, Pa. */
export interface Stiffness {
  readonly mu: number;
  readonly lambda: number;
}

/**
 * Returns the energy parameters mu and lambda of an element that has these moduli at small strain. The energy here is
 * Hooke's law with the constants of Lame G = 3/4 mu and L = lambda - 5/8 mu (Smith, de Goes, Kim 2018), so mu = 4/3 G
 * and lambda = L + 5/6 G with G = E / (2 (1 + nu)) and L = E nu / ((1 + nu) (1 - 2 nu)). Ties that make both moduli
 * unknowns of an estimate:
 *
 * ```ts
 * const stiffness = ({ E, nu }) => stiffnessOf({ youngsModulus: E, poissonRatio: nu });
 * const ties = [
 *   { field: 'tets.mu', compute: (v) => stiffness(v).mu },
 *   { field: 'tets.lambda', compute: (v) => stiffness(v).lambda },
 * ];
 * ```
 * @throws when the modulus is not above 0, or the ratio is not above -1 and below 0.5.
 */
export function stiffnessOf({ youngsModulus: E, poissonRatio: nu }: Moduli): Stiffness {
  if (!(E > 0 && Number.isFinite(E)))
    throw new GradsimError('fem/modulus-out-of-range', `Young's modulus is ${describeValue(E)}.`, {
      hint: 'It must be above 0.',
    });
  if (!(nu > -1 && nu < 0.5))
    throw new GradsimError('fem/modulus-out-of-range', `Poisson's ratio is ${describeValue(nu)}.`, {
      hint: 'It must be above -1 and below 0.5.',
    });
  const G = E / (2 * (1 + nu));
  return { mu: (4 / 3) * G, lambda: (E * nu) / ((1 + nu) * (1 - 2 * nu)) + (5 / 6) * G };
}

/**
 * Returns Young's modulus and Poisson's ratio of an element at small strain: the inverse of {@link stiffnessOf}.
 *
 * @throws when mu is not above 0, or lambda is so small that the material gives way (3 L + 2 G not above 0).
 */
export function moduliOf({ mu, lambda }: Stiffness): Moduli {
  const [G, L] = [0.75 * mu, lambda - 0.625 * mu];
  if (!(mu > 0 && 3 * L + 2 * G > 0))
    throw new GradsimError(
      'fem/modulus-out-of-range',
      `mu is ${describeValue(mu)} and lambda ${lambda}; mu must be above 0 and lambda above ${mu / 8}.`,
      { field: 'mu' },
    );
  return { youngsModulus: (G * (3 * L + 2 * G)) / (L + G), poissonRatio: L / (2 * (L + G)) };
}
