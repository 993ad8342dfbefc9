import { FALSE_ALARMS } from '../noise/significance.ts';
import type { Departure, DepartureKind, Departures } from '../posterior/departures.ts';
import type { CandidateFit } from './candidate-fit.ts';
import { fitOf } from './candidate-fit.ts';
import type { Judged, Noise } from './candidate-test.ts';
import { judge, judgeByBackground, likelier, noiseOf, pooledOf } from './candidate-test.ts';
import { SMALLEST_SQUARE, stepAlong, sumsOf } from './course-sums.ts';
import { dictionaryOf } from './courses.ts';
import { implications } from './discrepancy.ts';
import { effectsOf } from './effects.ts';
import type { Nuisances } from './pattern-sums.ts';

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
export interface Known {
  /** Natural steps of the unknowns. */
  readonly scales: Float64Array;
  /** Indices of the unknowns whose bias matters. */
  readonly asked: readonly number[];
  /** Stated lower bound of the variance of residuals. */
  readonly least: number;
}

/**
 * Finds departures one after another: the significant one that explains most, then the next with the found ones fitted
 * too. Each kind of departure has its own false-alarm rate, which is shared among the candidates of that kind.
 */
export function departuresOf(nuisances: Nuisances, { scales, asked, least }: Known): Departures {
  const { courses, candidates } = dictionaryOf(nuisances);
  const sums = sumsOf(nuisances, courses);
  const n = nuisances.unknowns;
  const counts = new Map<DepartureKind, number>();
  for (const { kind } of candidates) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const steps = Float64Array.from(courses, (_, c) =>
    c < n ? scales[c] : 1 / Math.sqrt(Math.max(sums.products[c * (courses.length + 1)], SMALLEST_SQUARE)),
  );
  const implying = implications(sums, [...Array(n).keys()], asked, steps);
  const found: Departure[] = [];
  let base: readonly number[] = [...Array(n).keys()];
  let noise: Noise | undefined;
  while (found.length < MAX_DEPARTURES) {
    const fitted = stepAlong(sums, base, steps);
    const fits = candidates.flatMap((candidate) => {
      const fit = fitOf(sums, candidate, fitted, steps);
      return fit ? [fit] : [];
    });
    const pooled = pooledOf(nuisances, courses, fits);
    noise ??= noiseOf(nuisances, pooled, fits, least);
    let best: { readonly fit: CandidateFit; readonly judged: Judged; readonly gain: number } | undefined;
    for (const fit of fits) {
      const judged = likelier(judge(fit, pooled, nuisances, least), judgeByBackground(fit, nuisances, least));
      if (!judged || !(judged.chance * counts.get(fit.candidate.kind)! < FALSE_ALARMS.departure)) continue;
      const share = fit.rank > 1 ? OF_MANY : 1;
      const gain = share * (fit.explained - A_DIRECTION * fit.rank * noise.together);
      if (!best || gain > best.gain) best = { fit, judged, gain };
    }
    if (!best) break;
    const { candidate, amplitude, explained } = best.fit;
    const implied = implying(candidate.courses, best.judged.noise);
    found.push({ ...candidate, amplitude, explained, implied, chance: best.judged.chance });
    base = [...base, ...candidate.courses.filter((c) => !base.includes(c))];
  }
  const { together = 0, wider = 1 } = noise ?? {};
  const byNoise = new Float64Array(n);
  const { inverse } = stepAlong(sums, asked, steps);
  asked.forEach((i, at) => {
    byNoise[i] = together * inverse[at * (asked.length + 1)];
  });
  const effects = effectsOf(sums, candidates, { asked, inverse, noise: together });
  return { found, byNoise, noise: together, implied: impliedBy(found, n), wider, effects };
}

/** Sum of the second moments of bias over all departures. */
function impliedBy(found: readonly Departure[], n: number): Float64Array {
  const all = new Float64Array(n * n);
  for (const { implied } of found) for (let k = 0; k < n * n; k++) all[k] += implied[k];
  return all;
}
