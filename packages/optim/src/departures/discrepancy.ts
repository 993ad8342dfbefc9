import { multiplyVector } from '@gradsim/base';
import { symmetricEigen } from '@gradsim/base/decompositions';
import type { Sums } from './direction-sums.ts';
import { MIN_REMAINDER, projectionOf, stepAlong } from './direction-sums.ts';

/** Conditions under which a discrepancy biases unknowns. */
interface Conditions {
  /** Directions of the departures found before it, which are fitted with the unknowns: it explains what they leave. */
  readonly earlierDirections: readonly number[];
  /** Indices of the unknowns that are biased; the others, which were measured, are held fixed. */
  readonly biasedUnknowns: readonly number[];
  readonly steps: Float64Array;
  /** Variance of a residual times the number of residuals that carry the information of one independent one. */
  readonly noise: number;
}

/**
 * Second moments, in the unknowns' coordinates, row by row, of their bias from a model discrepancy: random amplitudes a
 * of some directions G, with a common variance that maximises the likelihood of the residuals along G' (M. C. Kennedy
 * and A. O'Hagan, 2001). The residuals along G', the part of G orthogonal to J, determine the amplitudes in part; the
 * part of G along J is invisible in the residuals and moves the unknowns by (J^T J)^-1 J^T G a. J has the directions of
 * the unknowns and of the departures found before.
 *
 * @param ownDirections indices of the directions G.
 */
export function biasMomentsAlong(
  sums: Sums,
  ownDirections: readonly number[],
  { earlierDirections, biasedUnknowns, steps, noise }: Conditions,
): Float64Array {
  const n = sums.patternSums.unknowns;
  const m = biasedUnknowns.length;
  const all = sums.directions.length;
  const fitted = stepAlong(sums, [...Array(n).keys(), ...earlierDirections], steps);
  const free = [...biasedUnknowns, ...earlierDirections];
  const { inverse } = stepAlong(sums, free, steps);
  const { products, scores } = projectionOf(sums, ownDirections, fitted, steps);
  const moves = ownDirections.map((c) =>
    multiplyVector(
      inverse,
      Float64Array.from(free, (i) => sums.products[i * all + c] * steps[c]),
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
    for (let j = 0; j < m; j++)
      biasMoments[biasedUnknowns[i] * n + biasedUnknowns[j]] = moments[i * m + j] + mean[i] * mean[j];
  return biasMoments;
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
