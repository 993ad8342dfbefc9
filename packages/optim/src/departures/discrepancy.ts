import { multiplyVector } from '@gradsim/base';
import { symmetricEigen } from '@gradsim/base/decompositions';
import type { Sums } from './direction-sums.ts';
import { MIN_REMAINDER, projectionOf, stepAlong } from './direction-sums.ts';

/**
 * Function that returns the second moments of the bias in the unknowns' coordinates, row by row, for some directions.
 * @param noise variance of a residual times the number of residuals that carry the information of one independent one.
 */
export type BiasMomentsOf = (directions: readonly number[], noise: number) => Float64Array;

/**
 * Bias of the unknowns from a model discrepancy: random amplitudes a of some directions G, with a common variance that
 * maximises the likelihood of the residuals along G' (M. C. Kennedy and A. O'Hagan, 2001). The residuals along G', the
 * part of G orthogonal to J, determine the amplitudes in part; the part of G along J is invisible in the residuals and
 * moves the unknowns by (J^T J)^-1 J^T G a.
 *
 * @param asked indices of the unknowns that are biased; the others, which were measured, are held fixed.
 */
export function biasMomentsAlong(
  sums: Sums,
  unknowns: readonly number[],
  asked: readonly number[],
  steps: Float64Array,
): BiasMomentsOf {
  const n = unknowns.length;
  const m = asked.length;
  const all = sums.directions.length;
  const fitted = stepAlong(sums, unknowns, steps);
  const { inverse } = stepAlong(sums, asked, steps);
  return (own, noise) => {
    const { products, scores } = projectionOf(sums, own, fitted, steps);
    const moves = own.map((c) =>
      multiplyVector(
        inverse,
        Float64Array.from(asked, (i) => sums.products[i * all + c] * steps[c]),
      ),
    );
    const { values, vectors } = symmetricEigen(products);
    const along = values.map((_, v) => scores.reduce((sum, s, a) => sum + vectors[v][a] * s, 0));
    const size = likeliestSize(values, along, noise);
    const mean = new Float64Array(m);
    const moments = new Float64Array(m * m);
    values.forEach((value, v) => {
      const by = mean.map((_, i) => moves.reduce((sum, move, a) => sum + vectors[v][a] * move[i], 0));
      const shown = 1 + (size * Math.max(0, value)) / noise;
      const amplitude = value > MIN_REMAINDER ? -((size / noise) * along[v]) / shown : 0;
      for (let i = 0; i < m; i++) {
        mean[i] += by[i] * amplitude;
        for (let j = 0; j < m; j++) moments[i * m + j] += (by[i] * by[j] * size) / shown;
      }
    });
    const biasMoments = new Float64Array(n * n);
    for (let i = 0; i < m; i++)
      for (let j = 0; j < m; j++) biasMoments[asked[i] * n + asked[j]] = moments[i * m + j] + mean[i] * mean[j];
    return biasMoments;
  };
}

/** Variances of the amplitudes that are tried, relative to the noise: first, last and step of the exponent of 10. */
const [MIN_POWER, MAX_POWER, POWERS] = [-4, 12, 0.25];

/**
 * Variance of the amplitudes, `size`, that maximises the likelihood of scores z with variance noise * g + size * g^2.
 */
function likeliestSize(values: readonly number[], along: readonly number[], noise: number): number {
  let best = { size: 0, likelihood: 0 };
  for (let power = MIN_POWER; power <= MAX_POWER; power += POWERS) {
    const size = noise * 10 ** power;
    let likelihood = 0;
    values.forEach((value, v) => {
      if (!(value > MIN_REMAINDER)) return;
      const shown = 1 + (size * value) / noise;
      likelihood += ((along[v] ** 2 / (noise * value)) * (1 - 1 / shown) - Math.log(shown)) / 2;
    });
    if (likelihood > best.likelihood) best = { size, likelihood };
  }
  return best.size;
}
