import type { Simulation } from '@gradsim/core';
import { departuresOf } from '../departures/departures.ts';
import { descend } from '../descent/descend.ts';
import { changesOf, fitOf, likenesses } from '../noise/fit.ts';
import type { Objective } from '../objective/objective.ts';
import { EXACT_RESIDUAL } from '../objective/residuals.ts';
import type { Plan } from '../plan/plan.ts';
import type { Departures } from '../posterior/departures.ts';
import type { Fit } from '../posterior/fit.ts';
import type { Ends } from '../posterior/found.ts';
import type { Precision } from '../posterior/posterior.ts';
import type { Uncertainty } from '../posterior/uncertainty.ts';
import { RunFailure } from '../unknowns/run-failure.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';
import type { Evidence, SecantEnds } from './evidence.ts';
import { evidenceAt } from './evidence.ts';
import { SMALLEST_VARIANCE } from './remaining-step.ts';
import { uncertaintyOf } from './uncertainty.ts';

/** Maximum number of alternations between re-estimating the effective sample size and re-optimising. */
const MAX_ALTERNATIONS = 4;
/** Factor by which the weight of the residuals changes below which these alternations end. */
const MAX_STABLE_FACTOR = 1.2;
/**
 * Information along a direction, relative to that of the best determined one, below which it is undetermined. Rounding
 * alone reached 2e-13 in single precision and 1e-16 in double precision.
 */
const SMALLEST_SHARE = { f32: 1e-12, f64: 1e-14 } as const;
/** Machine epsilon; rounding gives a value of 1 an error with the standard deviation epsilon / sqrt(12). */
const MACHINE_EPSILON = { f32: 2 ** -23, f64: 2 ** -52 } as const;

/** Posterior near a point from derivatives there, with the evidence that it is computed from. */
export interface LocalPosterior {
  readonly evidence: Evidence;
  readonly uncertainty: Uncertainty;
  /** Departures of the film from the model; null if they were not searched for. */
  readonly departures: Departures | null;
  /** Rounding noise of the derivatives; null if it was not measured. */
  readonly precision: Precision | null;
}

/**
 * Measures the correlation of the residuals at an estimate, and the uncertainty of the unknowns.
 * @param before posterior at the same point without probes, whose sums and correlation are taken over.
 */
export async function posteriorAt(
  plan: Plan,
  x: Float64Array,
  probe: boolean,
  { secantEnds, before }: { readonly secantEnds?: SecantEnds; readonly before?: LocalPosterior | null } = {},
): Promise<LocalPosterior> {
  const { unknowns, objective, controls } = plan;
  const evidence = await evidenceAt(plan, x, probe, { secantEnds, sums: before?.evidence });
  const { precision } = controls.device;
  const floor = objective.residuals!.floor(EXACT_RESIDUAL[precision]);
  const departures = departuresAt(plan, evidence, floor);
  const uncertainty = uncertaintyOf(unknowns, x, evidence, {
    departed: departures?.biasMoments ?? null,
    count: objective.residuals!.count,
    floor,
    smallestShare: SMALLEST_SHARE[precision],
    rounding: MACHINE_EPSILON[precision] / Math.sqrt(12),
    least: objective.residuals!.leastVariance,
    leastOfScores: evidence.patternSums?.leastOfStills ?? 0,
    correlated: before?.uncertainty.residuals,
  });
  return { evidence, uncertainty, departures, precision: evidence.precision };
}

/** @param floor variance of the residuals of an exact fit: a departure may explain all that is not rounding. */
function departuresAt({ unknowns, objective }: Plan, { patternSums }: Evidence, floor: number): Departures | null {
  const { leastVariance } = objective.residuals!;
  if (patternSums === null) return null;
  return departuresOf(patternSums, {
    scales: unknowns.scales(),
    askedUnknowns: unknowns.blocks.flatMap(({ first, count, isGiven }) =>
      isGiven ? [] : Array.from({ length: count }, (_, k) => first + k),
    ),
    minVariance: Math.max(leastVariance, floor, SMALLEST_VARIANCE),
  });
}

/** True if an unknown has a prior, so that the estimate depends on the weight of the observations. */
export const hasPriors = ({ blocks }: Unknowns): boolean => blocks.some(({ prior }) => prior !== undefined);

/**
 * Alternates between measuring the weight of the observations and searching again, since with priors the estimate and
 * the weight depend on each other; ends when the weight is stable.
 * @returns the ends, and the posterior at the best one without probes; null if it was not computed there.
 */
export async function reweightResiduals(
  plan: Plan,
  found: Ends,
): Promise<{ readonly ends: Ends; readonly local: LocalPosterior | null }> {
  const residuals = plan.objective.residuals!;
  let ends = found;
  for (let turn = 0; turn < MAX_ALTERNATIONS && ends.stopped !== 'interrupted'; turn++) {
    const before = residuals.perIndependent;
    const [{ x }] = ends.ends;
    const local = await posteriorAt(plan, x, false);
    residuals.perIndependent = local.uncertainty.residuals.perIndependent;
    const change = residuals.perIndependent / before;
    if (change < MAX_STABLE_FACTOR && change > 1 / MAX_STABLE_FACTOR) return { ends, local };
    ends = await descend({ ...plan, points: [x] });
    // There the weight is the same.
    if (ends.ends[0].x.every((value, k) => value === x[k])) return { ends, local };
  }
  return { ends, local: null };
}

/** Rise of the loss that corresponds to a fall of twice the log-likelihood by 1. */
export const lossUnitOf = ({ uncertainty }: LocalPosterior, { residuals }: Objective): number =>
  uncertainty.effectiveVariance / residuals!.weight;

/**
 * Measures the model's fit to the observations at the first initial values and at the estimate.
 * @param simulation simulation whose last run is that of the estimate; afterwards it is that of the initial values.
 */
export async function fitAt(
  simulation: Simulation,
  { unknowns, objective }: Pick<Plan, 'unknowns' | 'objective'>,
  uncertainty: Uncertainty | null,
): Promise<Fit | null> {
  const { residuals } = objective;
  if (!residuals) return null;
  const changes = residuals.prepared.map(changesOf);
  const end = await likenesses(simulation, residuals, changes);
  const start = await atStart(simulation, unknowns, () => likenesses(simulation, residuals, changes));
  const { perIndependent = 1, measured = null } = uncertainty?.residuals ?? {};
  return {
    values: residuals.values,
    independent: measured === null ? null : residuals.values / perIndependent,
    observations: residuals.prepared.map((p, k) => fitOf(p, changes[k], start?.[k] ?? null, end[k])),
  };
}

/** Reads something of a run at the first initial values; null if the model cannot be run there. */
async function atStart<T>(simulation: Simulation, unknowns: Unknowns, read: () => Promise<T>): Promise<T | null> {
  try {
    unknowns.apply(simulation, [unknowns.initial()]);
    simulation.forward();
    return await read();
  } catch (error) {
    // If the search could not begin there, it began elsewhere.
    if (error instanceof RunFailure) return null;
    throw error;
  }
}

/** Sentence for the report that says why an estimate has no standard errors. */
export function whyNoErrors(unknowns: Unknowns, objective: Objective): string {
  const loss = objective.withoutResiduals;
  if (loss !== undefined)
    return `There are no standard errors: they come from residuals, and the loss ${loss} is no sum of squared residuals.`;
  return `There are no standard errors: \`uncertainty: { standardErrors: true }\` finds them, in a run of ${unknowns.count} worlds.`;
}
