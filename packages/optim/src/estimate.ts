import type { Simulation } from '@gradsim/core';
import { randomNumbers } from '@gradsim/numeric';
import type { Inferred } from './conclude.ts';
import { conclude } from './conclude.ts';
import { withClock } from './covariance/frame-rate.ts';
import { isWeighed, settled, surenessAt } from './covariance/posterior-at.ts';
import { gradientPrecision } from './covariance/precision.ts';
import { smoothSureness } from './covariance/smooth-beginning.ts';
import type { End, Ends } from './descent/descent.ts';
import { surenessByValues } from './intervals/by-values.ts';
import { checkedIntervals } from './intervals/checked.ts';
import { otherIntervals } from './intervals/other-intervals.ts';
import { refuseDeadUnknowns } from './objective/dead-unknowns.ts';
import type { Plan } from './plan/plan.ts';
import type { Prepared } from './prepare.ts';
import { hasErrors, prepare } from './prepare.ts';
import type { Problem } from './problem/problem.ts';
import type { Estimate, EstimateControls } from './result.ts';
import { EstimateError } from './result.ts';
import { searchHorizon } from './search/basin-hopping.ts';
import { drawStarts } from './search/starting-points.ts';
import { RunFailure } from './unknowns/run-failure.ts';

/**
 * Estimates a problem's unknowns: the values that minimise the squared residuals and the other losses.
 *
 * An abort of `controls.signal` returns the best point so far, with `stopped: 'interrupted'`.
 *
 * ```ts
 * const { parameters } = await estimate(problem, { device: await selectDevice('auto') });
 * console.log(parameters.mass.estimate, parameters.mass.standardError);
 * ```
 * @throws before anything runs, if the problem is inconsistent; later, if no start gives finite values, or if a loss
 * returns something invalid. A failure after the first iteration is an {@link EstimateError} that contains the best
 * point so far.
 */
export async function estimate(problem: Problem, controls: EstimateControls): Promise<Estimate> {
  const prepared = await prepare(problem, controls);
  const hasGiven = (problem.given ?? []).length > 0;
  return finishing(prepared, async () => {
    const found = await search(prepared, drawn(prepared));
    if (!hasGiven || found.ends.stopped === 'interrupted') return conclude(prepared, await infer(prepared, found));
    prepared.simulations.dispose();
    prepared.predictor.dispose();
    const [end] = found.ends.ends;
    const whole = await prepare(withoutSearch(problem, prepared.objective.ofObservations(end)), controls, prepared);
    return finishing(whole, async () => {
      const fitted = await search(whole, () => [withGiven(whole, end.x)]);
      return conclude(whole, await infer(whole, { ...fitted, ends: withOthers(whole, fitted.ends, found.ends) }));
    });
  });
}

/** Runs the rest of an estimation; turns an error in it into an {@link EstimateError} with the best point so far. */
async function finishing({ log, predictor, simulations }: Prepared, act: () => Promise<Estimate>): Promise<Estimate> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof EstimateError) throw error;
    const cause = error instanceof RunFailure ? error.cause : error;
    throw log.best ? new EstimateError(messageOf(cause), log.best(), cause) : cause;
  } finally {
    simulations.dispose();
    predictor.dispose();
  }
}

/**
 * Copy of a problem for a single descent over all frames, without search options; `reached` is the loss of the
 * observations at its starting point.
 */
function withoutSearch(problem: Problem, reached: number): Problem {
  const { search, ...options } = problem.options ?? {};
  const least = Math.min(reached, search?.reached ?? reached);
  return {
    ...problem,
    options: { ...options, search: { ...search, starts: 1, scan: 0, hops: 0, horizons: [1], reached: least } },
  };
}

/** Point of all unknowns, including given quantities at their measured values, from a point `x` without these. */
function withGiven({ unknowns }: Prepared, x: Float64Array): Float64Array {
  const point = unknowns.initial();
  point.set(x);
  return point;
}

/**
 * Ends of the fit that includes the given quantities, with the other ends of the search before it. These are moved, and
 * their losses lowered, by as much as the best one's was: so they differ from it as they did in that search, in which the given
 * quantities had their measured values.
 */
function withOthers(prepared: Prepared, fitted: Ends, { ends: [best, ...others], restarts, exploded }: Ends): Ends {
  const [end] = fitted.ends;
  const gained = best.loss - end.loss;
  const before = withGiven(prepared, best.x);
  const moved = ({ x, loss }: End): End => ({
    x: withGiven(prepared, x).map((value, i) => value + end.x[i] - before[i]),
    loss: loss - gained,
  });
  return {
    ...fitted,
    ends: [...fitted.ends, ...others.map(moved)],
    restarts: restarts && { ...restarts, starts: restarts.starts.map((loss) => loss - gained) },
    exploded: fitted.exploded ?? exploded,
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Result of a search: its ends over all frames, and the plan of that last horizon. */
interface Searched {
  readonly plan: Plan;
  readonly ends: Ends;
}

/**
 * Function that returns the points that a search starts from, given a generator of uniform random numbers in [0, 1).
 */
type Starts = (random: () => number) => readonly Float64Array[];

const drawn =
  ({
    unknowns,
    options: {
      search: { starts, scan },
    },
  }: Prepared): Starts =>
  (random) =>
    drawStarts(unknowns, Math.max(starts, scan), random);

/** Searches the problem's horizons one after another, each from candidates of the one before. */
async function search(
  { unknowns, objective, options, controls, horizons, predictor }: Prepared,
  starts: Starts,
): Promise<Searched> {
  refuseDeadUnknowns(predictor.model, unknowns, objective);
  const random = randomNumbers(options.search.seed);
  let points = starts(random);
  let best: End | null = null;
  const foreseen = (): Simulation => {
    unknowns.apply(predictor, [best?.x ?? points[0]]);
    predictor.forward();
    return predictor;
  };
  for (let horizon = horizons.first(); ; ) {
    const { share, plan } = horizon;
    // An interrupted search still ends with an evaluation of all frames.
    if (share === 1 || !controls.signal?.aborted) {
      const ends = await searchHorizon(plan, points, random);
      if (share === 1) return { plan, ends };
      points = ends.candidates;
      [best] = ends.ends;
    }
    horizon = await horizons.next(horizon, foreseen);
  }
}

/** Computes the uncertainty at the end of a search. */
async function infer(
  { objective, options, unknowns, verify, predictor, horizons }: Prepared,
  found: Searched,
): Promise<Inferred> {
  const { plan } = found;
  const { signal } = plan.controls;
  let { ends } = found;
  const none: Inferred = { ends, sureness: null, precision: null, others: null, verification: [], profiled: [] };
  if (!hasErrors(objective, options)) {
    const isDescent = options.search.method !== 'levenberg-marquardt';
    if (ends.stopped === 'interrupted' || !isDescent) return none;
    return { ...none, precision: await gradientPrecision(plan, ends.ends[0].x) };
  }
  if (isWeighed(unknowns) && unknowns.count > 1) ends = { ...(await settled(plan, ends)), restarts: ends.restarts };
  const [end] = ends.ends;
  const isWhole = ends.stopped !== 'interrupted';
  const first =
    unknowns.byValues === null
      ? await smoothSureness(plan, end, await surenessAt(plan, end.x, isWhole), (frames) => horizons.beginning(frames))
      : await surenessByValues(plan, end, isWhole);
  const { sureness, findings } = isWhole
    ? await checkedIntervals(plan, predictor, end, first.sureness)
    : { sureness: first.sureness, findings: [] };
  const { precision } = sureness;
  const timed = isWhole && unknowns.byValues === null ? await withClock(plan, end.x, sureness) : sureness;
  const inferred = { ...none, ends, sureness: timed, precision, profiled: [...first.findings, ...findings] };
  if (!isWhole) return inferred;
  const others = await otherIntervals(plan, end, sureness);
  const verification = options.uncertainty.verify ? await verify(plan, end.x) : [];
  // An uncertainty that an interrupt cut short is discarded.
  if (signal?.aborted) return { ...inferred, ends: { ...ends, stopped: 'interrupted' } };
  return { ...inferred, others, verification };
}
