import { studentFactor } from '../noise/correlation.ts';
import { priorInformation } from '../objective/priors.ts';
import type { PerturbedSystem } from '../posterior/posterior.ts';
import { inverseAlong } from '../unknowns/information.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';
import type { Evidence } from './evidence.ts';
import { remainingStepAt } from './remaining-step.ts';

/** Effect of rounding on an estimate and on its standard errors. */
export interface RoundingDeviations {
  /** Standard deviation that rounding causes in each coordinate of the estimate; 0 if it was not measured. */
  readonly deviations: Float64Array;
  /**
   * For each perturbed run and unknown, the ratio of the standard error by that run's derivatives to the one by the
   * derivatives at the estimate; null if such a run failed.
   */
  readonly ratios: readonly Float64Array[] | null;
}

/**
 * Measures the effect of rounding. At the estimate J^T r vanishes for one particular rounding of output and
 * derivatives; runs from perturbed initial values have other roundings, and their Gauss-Newton steps from the estimate
 * show how far rounding moves it. The result is enlarged so that 1.96 standard deviations cover as much as Student's t
 * requires for so few runs.
 *
 * @param limits variance of an independent residual, A^-1, and the remaining step of the unperturbed run.
 */
export function roundingOf(
  unknowns: Unknowns,
  x: ArrayLike<number>,
  evidence: Evidence,
  limits: Readonly<Record<'count' | 'smallestShare' | 'least' | 'effectiveVariance', number>> &
    Readonly<Record<'remainingStep' | 'inverse', Float64Array>>,
): RoundingDeviations {
  const { smallestShare, effectiveVariance, remainingStep, inverse } = limits;
  const { precision } = evidence;
  const deviations = new Float64Array(unknowns.count);
  if (precision === null) return { deviations, ratios: [] };
  if (precision.perturbedSystems.length === 0) return { deviations, ratios: precision.isWhole ? [] : null };
  const n = unknowns.count;
  const scales = unknowns.scales();
  const priors = priorInformation(unknowns, x);
  const ratios = precision.perturbedSystems.map((system) => {
    const { score, hessian } = withSecant(system, evidence, unknowns.byValues);
    const step = remainingStepAt(unknowns, x, { ...evidence, scores: [score], hessian }, limits);
    for (let i = 0; i < n; i++) deviations[i] += (step[i] - remainingStep[i]) ** 2 / precision.perturbedSystems.length;
    const information = hessian.map((h, at) => h / effectiveVariance + (at % (n + 1) === 0 ? priors[at % n] : 0));
    const own = inverseAlong(information, scales, smallestShare);
    return deviations.map((_, i) => Math.sqrt(own[i * (n + 1)] / inverse[i * (n + 1)]));
  });
  const factor = studentFactor(precision.perturbedSystems.length) / 1.96;
  return {
    deviations: deviations.map((variance) => factor * Math.sqrt(variance)),
    ratios: precision.isWhole ? ratios : null,
  };
}

/**
 * Normal equations in which the entries of the unknown found by values alone are taken from the secant at the estimate.
 */
function withSecant({ score, hessian }: PerturbedSystem, evidence: Evidence, byValues: number | null): PerturbedSystem {
  if (byValues === null) return { score, hessian };
  const n = score.length;
  return {
    score: score.map((own, i) => (i === byValues ? evidence.scores.reduce((sum, s) => sum + s[i], 0) : own)),
    hessian: hessian.map((own, at) =>
      Math.floor(at / n) === byValues || at % n === byValues ? evidence.hessian[at] : own,
    ),
  };
}
