import { mean, median } from '@gradsim/base';
import type { Pooled, Scatter } from '../noise/scatter.ts';
import { NOTHING_POOLED, poolOf } from '../noise/scatter.ts';
import { FALSE_ALARMS, ratioTail } from '../noise/significance.ts';
import type { CandidateFit } from './candidate-fit.ts';
import type { PatternSums } from './pattern-sums.ts';
import type { ResidualDirection } from './patterns.ts';

/** Pools the scatter of residuals over the directions of all columns, as far as the columns agree. */
export function pooledOf(
  { correlation }: PatternSums,
  directions: readonly ResidualDirection[],
  fits: readonly CandidateFit[],
): Pooled {
  // Where unknowns show everywhere, a misfit widens each direction in its own way.
  if (correlation?.isFitted !== false) return NOTHING_POOLED;
  const byColumn = new Map<number, Scatter[]>();
  for (const { candidate, scatters } of fits) {
    if (candidate.directions.length > 1) continue;
    const { column } = directions[candidate.directions[0]];
    const own = byColumn.get(column) ?? [];
    byColumn.set(column, own);
    own.push(...scatters.filter(({ freedom }) => freedom > 0));
  }
  return poolOf(
    [...byColumn.values()].map((own) => ({
      scatter: mean(own.map(({ scatter }) => scatter)),
      freedom: mean(own.map(({ freedom }) => freedom)),
    })),
  );
}

/**
 * Result of a test of a departure: the probability that noise alone explains as much, and the noise variance assumed.
 */
export interface TestResult {
  readonly pValue: number;
  readonly noise: number;
}

/** Returns the more significant of two tests, with its probability doubled, since the smaller of two was chosen. */
export function moreSignificant(a: TestResult | undefined, b: TestResult | undefined): TestResult | undefined {
  if (!a || !b) return a ?? b;
  const less = a.pValue < b.pValue ? a : b;
  return { ...less, pValue: Math.min(1, 2 * less.pValue) };
}

/** Returns the less significant of two tests: both have to find the departure. */
export function lessSignificant(a: TestResult | undefined, b: TestResult | undefined): TestResult | undefined {
  if (!a || !b) return a ?? b;
  return a.pValue < b.pValue ? b : a;
}

/**
 * Tests a candidate against the noise of the background: along any direction noise has at most the variance of sums of
 * neighbouring background residuals.
 */
export function testByBackground(
  { rank, explained, scatters }: CandidateFit,
  { background, correlation }: PatternSums,
  minVariance: number,
): TestResult | undefined {
  if (!background || correlation === null || correlation.isFitted || scatters.length === 0) return undefined;
  const lasting = Math.max(...scatters.map(({ variance }) => variance));
  const noise = Math.max(background.variance * background.correlationFactor, minVariance) * lasting;
  return { noise, pValue: ratioTail(explained / (rank * noise), rank, background.freedom) };
}

/** Size of the noise along the directions of the unknowns. */
export interface Noise {
  readonly effectiveVariance: number;
  readonly excessScatter: number;
}

/**
 * Variance of a residual along the unknowns' directions, times the number of residuals with the information of one
 * independent one. The background shows the noise alone: any excess over it is not explained by the model.
 */
export function noiseAlongUnknowns(
  { background }: PatternSums,
  pooled: Pooled,
  fits: readonly CandidateFit[],
  minVariance: number,
): Noise {
  const measured = fits.flatMap(({ scatters }) => scatters.filter(({ freedom }) => freedom > 0));
  const seen = pooled.freedom > 0 ? pooled.scatter : median(measured.map(({ scatter }) => scatter));
  if (!background || pooled.freedom === 0)
    return { effectiveVariance: Math.max(minVariance, seen || 0), excessScatter: 1 };
  const elsewhere = Math.max(minVariance, background.variance * background.correlationFactor);
  const chance = ratioTail(seen / elsewhere, pooled.freedom, background.freedom);
  return {
    effectiveVariance: Math.max(minVariance, Math.min(seen, elsewhere)),
    excessScatter: chance < FALSE_ALARMS.departure ? Math.sqrt(seen / elsewhere) : 1,
  };
}

/** Tests a candidate: the probability that noise alone explains as much; undefined if the noise variance is unknown. */
export function testByScatterBetweenParts(
  { rank, explained, scatters }: CandidateFit,
  pooled: Pooled,
  { correlation }: PatternSums,
  minVariance: number,
): TestResult | undefined {
  const measured = scatters.filter(({ freedom }) => freedom > 0);
  if (measured.length === 0 && (scatters.length === 0 || pooled.freedom === 0 || correlation === null))
    return undefined;
  const own = measured.length > 0 ? mean(measured.map(({ freedom }) => freedom)) : 0;
  const scatter = measured.length > 0 ? mean(measured.map((one) => one.scatter)) : 0;
  const freedom = own + pooled.freedom;
  const pooledScatter = (own * scatter + pooled.freedom * pooled.scatter) / freedom;
  // Correlated values may be more correlated along these directions than along others.
  const noise = Math.max(scatter, pooledScatter, minVariance) * Math.max(...scatters.map(({ variance }) => variance));
  return { noise, pValue: ratioTail(explained / (rank * noise), rank, freedom) };
}
