import { FALSE_ALARMS } from '../noise/significance.ts';
import type { Departure, DepartureKind, Departures } from '../posterior/departures.ts';
import type { CandidateFit } from './candidate-fit.ts';
import { fitCandidate } from './candidate-fit.ts';
import type { Noise, TestResult } from './candidate-test.ts';
import {
  lessSignificant,
  moreSignificant,
  noiseAlongUnknowns,
  pooledOf,
  testByBackground,
  testByScatterBetweenParts,
} from './candidate-test.ts';
import { dictionaryOf } from './dictionary.ts';
import { SMALLEST_SQUARE, stepAlong, sumsOf } from './direction-sums.ts';
import { biasMomentsAlong } from './discrepancy.ts';
import { effectsOf } from './effects.ts';
import { excessAtOutlines, outlineBias } from './outlines.ts';
import type { PatternSums } from './pattern-sums.ts';

/** Maximum number of departures that are searched for, one after another. */
const MAX_DEPARTURES = 5;
/**
 * Squared residuals, in units of the noise variance, that each additional direction of a departure must explain for it
 * to be preferred to one with fewer directions.
 */
const A_DIRECTION = 6;
/**
 * Share of the squares explained by a departure of several directions from which on a single, named direction is
 * preferred.
 */
const OF_MANY = 0.7;

/** Knowledge about unknowns and noise that does not come from the residuals. */
export interface GivenVariances {
  /** Natural steps of the unknowns. */
  readonly scales: Float64Array;
  /** Indices of the unknowns whose bias matters. */
  readonly askedUnknowns: readonly number[];
  /** Lower bound of the variance of residuals, above 0: the stated one, and that of rounding. */
  readonly minVariance: number;
}

/**
 * Finds departures one after another: the significant one that explains most, then the next with the found ones fitted
 * too. Each kind of departure has its own false-alarm rate, which is shared among the candidates of that kind.
 */
export function departuresOf(
  patternSums: PatternSums,
  { scales, askedUnknowns, minVariance }: GivenVariances,
): Departures {
  const { directions, candidates } = dictionaryOf(patternSums);
  const sums = sumsOf(patternSums, directions);
  const n = patternSums.unknowns;
  const counts = new Map<DepartureKind, number>();
  for (const { kind } of candidates) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const steps = Float64Array.from(directions, (_, c) =>
    c < n ? scales[c] : 1 / Math.sqrt(Math.max(sums.products[c * (directions.length + 1)], SMALLEST_SQUARE)),
  );
  const found: Departure[] = [];
  let base: readonly number[] = [...Array(n).keys()];
  let noise: Noise | undefined;
  while (found.length < MAX_DEPARTURES) {
    const fitted = stepAlong(sums, base, steps);
    const fits = candidates.flatMap((candidate) => {
      const fit = fitCandidate(sums, candidate, fitted, steps);
      return fit ? [fit] : [];
    });
    const pooled = pooledOf(patternSums, directions, fits);
    noise ??= noiseAlongUnknowns(patternSums, pooled, fits, minVariance);
    let best: { readonly fit: CandidateFit; readonly test: TestResult; readonly gain: number } | undefined;
    for (const fit of fits) {
      const byScatter = testByScatterBetweenParts(fit, pooled, patternSums, minVariance);
      const byBackground = testByBackground(fit, patternSums, minVariance);
      // What differs in a few tiles of a still picture is no departure of all of it.
      const test = (patternSums.isStill ? lessSignificant : moreSignificant)(byScatter, byBackground);
      if (!test || !(test.pValue * counts.get(fit.candidate.kind)! < FALSE_ALARMS.departure)) continue;
      const share = fit.rank > 1 ? OF_MANY : 1;
      const gain = share * (fit.explained - A_DIRECTION * fit.rank * noise.effectiveVariance);
      if (!best || gain > best.gain) best = { fit, test, gain };
    }
    if (!best) break;
    const { candidate, amplitude, explained } = best.fit;
    const conditions = {
      earlierDirections: base.slice(n),
      biasedUnknowns: askedUnknowns,
      steps,
      noise: best.test.noise,
    };
    const biasMoments = biasMomentsAlong(sums, candidate.directions, conditions);
    found.push({ ...candidate, amplitude, explained, biasMoments, chance: best.test.pValue });
    base = [...base, ...candidate.directions.filter((c) => !base.includes(c))];
  }
  const { effectiveVariance = 0, excessScatter: excessOfDirections = 1 } = noise ?? {};
  const { isStill } = patternSums;
  const excessScatter = isStill ? excessAtOutlines(patternSums, minVariance) : excessOfDirections;
  const noiseVariances = new Float64Array(n);
  const { inverse } = stepAlong(sums, askedUnknowns, steps);
  askedUnknowns.forEach((i, at) => {
    noiseVariances[i] = effectiveVariance * inverse[at * (askedUnknowns.length + 1)];
  });
  const effects = effectsOf(sums, candidates, { asked: askedUnknowns, inverse, noise: effectiveVariance });
  return {
    found,
    noiseVariances,
    noise: effectiveVariance,
    biasMoments: sumOfMoments(
      [...(isStill ? [outlineBias(sums, askedUnknowns, steps)] : []), ...found.map((one) => one.biasMoments)],
      n,
    ),
    excessScatter,
    effects,
  };
}

/** Sum of second moments of bias. */
function sumOfMoments(of: readonly Float64Array[], n: number): Float64Array {
  const all = new Float64Array(n * n);
  for (const moments of of) for (let k = 0; k < n * n; k++) all[k] += moments[k];
  return all;
}
