import { GradsimError } from '@gradsim/core';
import { withClock } from './covariance/frame-rate.ts';
import type { LocalPosterior } from './covariance/local-posterior.ts';
import {
  fitAt,
  hasPriors,
  lossUnitOf,
  posteriorAt,
  reweightResiduals,
  whyNoErrors,
} from './covariance/local-posterior.ts';
import { gradientPrecision } from './covariance/precision.ts';
import { smoothPosterior } from './covariance/smooth-beginning.ts';
import { estimateRefined } from './departures/refinement.ts';
import { descendByDerivatives } from './descent/descend.ts';
import { posteriorByValues } from './intervals/by-values.ts';
import { checkedIntervals } from './intervals/checked.ts';
import { otherIntervals } from './intervals/other-intervals.ts';
import type { End, Ends, Found, Point } from './posterior/found.ts';
import type { Posterior } from './posterior/posterior.ts';
import type { Prepared } from './prepare.ts';
import { endOf, hasErrors, prepare, whileRunning } from './prepare.ts';
import { keyOf } from './problem/field-key.ts';
import { goalVerdict } from './problem/goal.ts';
import type { Problem } from './problem/problem.ts';
import { startedAt } from './problem/started-at.ts';
import type { EstimateControls } from './result.ts';
import { throughHorizons } from './search.ts';

/**
 * Infers how sure the unknowns are at a point: the second act of {@link estimate}. The point is that of a search, or one
 * found elsewhere, by hand or by another program; {@link assess} tells whether it is to be trusted.
 *
 * With priors or `given` quantities the point moves: these and the observations are fitted together, starting there, and
 * the posterior is that of where it ends. Otherwise it stays where it is.
 *
 * ```ts
 * const posterior = await infer(problem, { parameters: { mass: 1.02, drag: 0.31 } }, { device });
 * console.log(posterior.names, posterior.values, posterior.uncertainty?.standardErrors);
 * ```
 * @param point result of {@link search}, or values by name, in the units of the problem. Unknowns that it leaves out are
 * where the search would start.
 * @throws before anything runs, if the problem is inconsistent, or if `point` has values that the problem does not have;
 * later, if the model has no finite loss at the point.
 */
export async function infer(problem: Problem, point: Found | Point, controls: EstimateControls): Promise<Posterior> {
  const prepared = await prepare('ends' in point ? problem : startedAt(problem, point), controls);
  return whileRunning(prepared, async () => {
    if (!('ends' in point)) return (await inferIn(prepared, await endAtStart(prepared), false)).posterior;
    const { count } = prepared.unknowns;
    if (point.ends[0].x.length !== count)
      throw new GradsimError(
        'optim/other-problem',
        `The point has ${point.ends[0].x.length} coordinates, and the problem ${count} unknowns: it was found for another problem.`,
      );
    prepared.log.resume(point.history);
    return (await inferIn(prepared, point, true)).posterior;
  });
}

/** Evaluates the loss where the search would start. */
async function endAtStart({ unknowns, horizons }: Prepared): Promise<Ends> {
  const plan = horizons.whole();
  const { search } = plan.options;
  const options = { ...plan.options, search: { ...search, iterations: 0 } };
  return descendByDerivatives({ ...plan, options, points: [unknowns.initial()] });
}

/** Posterior of a prepared problem, and that problem; another one if given quantities were fitted. */
interface Inferred {
  readonly posterior: Posterior;
  readonly prepared: Prepared;
}

/** Infers the posterior at the ends of a search; fits given quantities together with the unknowns before. */
export async function inferIn(prepared: Prepared, searchEnds: Ends, isSearched: boolean): Promise<Inferred> {
  const { problem, controls, objective } = prepared;
  if ((problem.given ?? []).length === 0 || searchEnds.stopped === 'interrupted')
    return { posterior: await posteriorOf(prepared, searchEnds, isSearched ? [] : null), prepared };
  prepared.simulations.dispose();
  prepared.predictor.dispose();
  const [end] = searchEnds.ends;
  const whole = await prepare(withoutSearch(problem), controls, prepared);
  return whileRunning(whole, async () => {
    const start = atGivenValues(whole, end.x);
    const fitted = await throughHorizons(whole, () => [start]);
    const earlier = isSearched ? [{ x: start, meanSquare: objective.ofObservations(end) }] : null;
    return { posterior: await posteriorOf(whole, withOthers(whole, fitted, searchEnds), earlier), prepared: whole };
  });
}

/** Copy of a problem for a single descent over all frames, without search options. */
function withoutSearch(problem: Problem): Problem {
  const { search, ...options } = problem.options ?? {};
  return { ...problem, options: { ...options, search: { ...search, starts: 1, scan: 0, hops: 0, horizons: [1] } } };
}

/** Point of all unknowns, including given quantities at their measured values, from a point `x` without these. */
function atGivenValues({ unknowns }: Prepared, x: Float64Array): Float64Array {
  const point = unknowns.initial();
  point.set(x);
  return point;
}

/**
 * Ends of the fit that includes the given quantities, with the other ends of the search before it. These are moved, and
 * their losses lowered, by as much as the best one's was: so they differ from it as they did in that search, in which
 * the given quantities had their measured values.
 */
function withOthers(prepared: Prepared, fitted: Ends, { ends: [best, ...others], restarts, exploded }: Ends): Ends {
  const [end] = fitted.ends;
  const gained = best.loss - end.loss;
  const before = atGivenValues(prepared, best.x);
  const moved = ({ x, loss }: End): End => ({
    x: atGivenValues(prepared, x).map((value, i) => value + end.x[i] - before[i]),
    loss: loss - gained,
  });
  return {
    ...fitted,
    ends: [...fitted.ends, ...others.map(moved)],
    restarts: restarts && { ...restarts, starts: restarts.starts.map((loss) => loss - gained) },
    exploded: fitted.exploded ?? exploded,
  };
}

/** End of an earlier search, and its mean of squared residuals. */
interface EarlierEnd {
  readonly x: Float64Array;
  readonly meanSquare: number;
}

/**
 * Mean of squared residuals at a point that would make its loss the least of those of earlier searches' ends. Priors
 * count: an end without them, or with another weight of them, fits the observations better by departing from priors.
 */
function reachedBefore({ objective, unknowns, options }: Prepared, x: Float64Array, ends: readonly EarlierEnd[]) {
  const { reached } = options.search;
  const all = reached === undefined ? ends : [...ends, { x: unknowns.initial(), meanSquare: reached }];
  if (all.length === 0) return undefined;
  const losses = all.map((end) => objective.withPriors(end.x, end.meanSquare));
  return objective.ofObservations({ x, loss: Math.min(...losses) });
}

/**
 * Infers the posterior at the best of some ends, and runs the model there.
 * @param earlier ends of searches before the last one; null if the point was not searched for.
 */
async function posteriorOf(prepared: Prepared, found: Ends, earlier: readonly EarlierEnd[] | null): Promise<Posterior> {
  const { unknowns, objective, predictor, recorded, problem } = prepared;
  const { ends, local, ...uncertain } = await uncertaintyAt(prepared, found);
  const [{ x, loss }] = ends.ends;
  const uncertainty = local?.uncertainty ?? null;
  const { residuals, withoutResiduals } = objective;
  unknowns.apply(predictor, [x]);
  predictor.forward();
  const parts = await objective.parts(predictor, x);
  const predicted: Record<string, Float64Array> = {};
  for (const key of recorded) predicted[key] = await predictor.readFrames(key);
  return {
    names: unknowns.names,
    coordinates: x,
    values: unknowns.values(x),
    loss,
    parts,
    meanSquare: residuals ? parts.observations : null,
    isExact: objective.isExact(loss),
    search: earlier && endOf(prepared, ends, reachedBefore(prepared, x, earlier)),
    predicted,
    fit: await fitAt(predictor, { unknowns, objective }, uncertainty),
    counts: residuals?.prepared.map(({ counted }) => counted) ?? [],
    uncertainty,
    withoutErrors: uncertainty
      ? null
      : {
          reason: whyNoErrors(unknowns, objective),
          isAvailable: residuals !== null && withoutResiduals === undefined,
        },
    lossUnit: local && lossUnitOf(local, objective),
    departures: local?.departures ?? null,
    mispredicted: local?.evidence.mispredicted ?? [],
    ...uncertain,
    goal: problem.goal ? await goalOf(prepared, predicted, earlier && ends.stopped) : null,
  };
}

/** Verdict on the goal, from runs at the estimate and at the initial values. The latter is the predictor's last run. */
async function goalOf(
  { predictor, unknowns, problem }: Prepared,
  predicted: Posterior['predicted'],
  stopped: Ends['stopped'] | null,
): Promise<Posterior['goal']> {
  const goal = problem.goal!;
  const key = keyOf(goal.field);
  unknowns.apply(predictor, [unknowns.initialCoordinates()]);
  predictor.forward();
  return goalVerdict(goal, { start: await predictor.readFrames(key), end: predicted[key] }, stopped);
}

/** Parts of a posterior that come from derivatives and further runs around its point. */
interface EndsWithPosterior
  extends Pick<
    Posterior,
    ('precision' | 'smoothBeginning' | 'profileByValues' | 'replaced') | ('better' | 'otherIntervals' | 'verification')
  > {
  /** The ends, moved if priors were weighed anew. */
  readonly ends: Ends;
  readonly local: LocalPosterior | null;
}

/** Computes the uncertainty at the best of some ends. */
async function uncertaintyAt(
  { objective, options, unknowns, problem, predictor, horizons }: Prepared,
  found: Ends,
): Promise<EndsWithPosterior> {
  const plan = horizons.whole();
  const { signal } = plan.controls;
  let ends = found;
  const none: EndsWithPosterior = {
    ends,
    local: null,
    precision: null,
    smoothBeginning: null,
    profileByValues: null,
    replaced: [],
    better: null,
    otherIntervals: null,
    verification: [],
  };
  if (!hasErrors(objective, options)) {
    const isDescent = options.search.method !== 'levenberg-marquardt';
    if (ends.stopped === 'interrupted' || !isDescent) return none;
    return { ...none, precision: await gradientPrecision(plan, ends.ends[0].x) };
  }
  const weighed = hasPriors(unknowns) && unknowns.count > 1 ? await reweightResiduals(plan, ends) : null;
  if (weighed) ends = { ...weighed.ends, restarts: ends.restarts };
  const [end] = ends.ends;
  const isWhole = ends.stopped !== 'interrupted';
  const byValues = unknowns.byValues === null ? null : await posteriorByValues(plan, end, isWhole);
  const smooth =
    byValues === null
      ? await smoothPosterior(
          plan,
          end,
          await posteriorAt(plan, end.x, isWhole, { before: weighed?.local }),
          (frames) => horizons.beginning(frames),
        )
      : null;
  const first = (byValues ?? smooth)!.local;
  const profiles = { smoothBeginning: smooth?.beginning ?? null, profileByValues: byValues?.profile ?? null };
  if (!isWhole) return { ...none, ...profiles, ends, local: first, precision: first.precision };
  const checked = await checkedIntervals(plan, predictor, end, first);
  const { precision } = checked.local;
  const local = byValues === null ? await withClock(plan, end.x, checked.local) : checked.local;
  const inferred = { ...none, ...profiles, ...checked, ends, local, precision };
  const others = await otherIntervals(plan, end, checked.local);
  const verification = options.uncertainty.verify ? await estimateRefined(problem, plan, end.x) : [];
  // An uncertainty that an interrupt cut short is discarded.
  if (signal?.aborted) return { ...inferred, ends: { ...ends, stopped: 'interrupted' } };
  return { ...inferred, otherIntervals: others, verification };
}
