import type { F32, Mat33 } from '@gradsim/core';
import { determinant, f32, identity, inverse, log1p, mat33, sqrt, traceOf, transpose } from '@gradsim/core';

/** A multiple of the identity. */
export const spherical = (x: F32): Mat33 => mat33(x, 0, 0, 0, x, 0, 0, 0, x);

/** Traceless part. */
export const deviator = (m: Mat33): Mat33 => m.sub(spherical(traceOf(m).div(3)));

/** Square root of the sum of the squares of all entries; its derivative at 0 is 0. */
export const frobenius = ({ entries }: Mat33): F32 =>
  sqrt(entries.map((entry) => entry.mul(entry)).reduce((sum, term) => sum.add(term)));

/** Sum of the principal minors of order 2. */
const secondInvariant = (m: Mat33): F32 => {
  const minor = (i: number, j: number): F32 =>
    m
      .entry(i, i)
      .mul(m.entry(j, j))
      .sub(m.entry(i, j).mul(m.entry(j, i)));
  return minor(0, 1).add(minor(0, 2)).add(minor(1, 2));
};

/** det(1 + g) - 1, without the cancellation of small g. */
export const growthOf = (g: Mat33): F32 => traceOf(g).add(secondInvariant(g)).add(determinant(g));

/** g + g^T + g g^T = F F^T - 1 with F = 1 + g. */
export const leftStrain = (g: Mat33): Mat33 => g.add(transpose(g)).add(g.mul(transpose(g)));

/** Terms of the power series below: with strains up to 0.2 their errors are below 1e-12. */
const EXPONENTIAL_TERMS = 9;
const LOGARITHM_TERMS = 7;

/** exp(2 e) - 1 of a symmetric e: the series of exp(e / 2) - 1, squared twice. */
export function squareStretch(e: Mat33): Mat33 {
  const x = e.mul(0.5);
  let sum: Mat33 = identity(3);
  for (let k = EXPONENTIAL_TERMS; k > 1; k--) sum = identity(3).add(x.mul(sum).mul(1 / k));
  const twice = (y: Mat33): Mat33 => y.mul(2).add(y.mul(y));
  return twice(twice(x.mul(sum)));
}

/** log(1 + x) / 2 of a symmetric x: artanh(z) = z + z^3 / 3 + ... of z = x / (2 + x). */
function halfLogarithm(x: Mat33): Mat33 {
  const z = x.mul(inverse(x.add(spherical(f32(2)))));
  const square = z.mul(z);
  let sum: Mat33 = identity(3).mul(1 / (2 * LOGARITHM_TERMS - 1));
  for (let k = LOGARITHM_TERMS - 1; k > 0; k--) sum = square.mul(sum).add(identity(3).mul(1 / (2 * k - 1)));
  return z.mul(sum);
}

/** A Hencky strain: trace, the logarithm of the volume ratio, and deviator. */
export interface Hencky {
  readonly trace: F32;
  readonly deviator: Mat33;
}

/**
 * Hencky strain, half the logarithm of F F^T, after a substep in which F becomes (1 + g) F. Power series of the tensors
 * take the place of principal stretches and their axes: the derivatives of these are infinite where two stretches are
 * equal, those of the strain are not.
 */
export function henckyAfter(strain: Mat33, g: Mat33): Hencky {
  const F = identity(3).add(g);
  const stretch = squareStretch(deviator(strain));
  const after = leftStrain(g).add(F.mul(stretch).mul(transpose(F)));
  return { trace: traceOf(strain).add(log1p(growthOf(g))), deviator: deviator(halfLogarithm(after)) };
}

/** Strain of a trace and a deviator. */
export const strainOf = ({ trace, deviator }: Hencky): Mat33 => deviator.add(spherical(trace.div(3)));
