import type { Model, Simulation } from '@gradsim/core';
import { GradsimError, isGradsimError, refuseUnknownOptions } from '@gradsim/core';
import { refuseUnrefinable } from './departures/refinement.ts';
import { refuseWorlds } from './descent/world-draws.ts';
import { refuseDerived } from './intervals/derived.ts';
import { Log } from './log.ts';
import { refuseDeadUnknowns } from './objective/dead-unknowns.ts';
import { Objective } from './objective/objective.ts';
import type { Plan } from './plan/plan.ts';
import { SimulationPool } from './plan/simulation-pool.ts';
import type { Ends, SearchEnd } from './posterior/found.ts';
import { suitsHorizons } from './problem/fewer-frames.ts';
import { keyOf } from './problem/field-key.ts';
import { refuseGoal } from './problem/goal.ts';
import type { FullOptions } from './problem/options.ts';
import { fullOptions, hasOtherIntervals, methodReasonOf } from './problem/options.ts';
import type { Problem } from './problem/problem.ts';
import { checkProblem } from './problem/problem.ts';
import { open } from './problem/run.ts';
import type { EstimateControls } from './result.ts';
import { EstimateError } from './result.ts';
import { Horizons } from './search/horizons.ts';
import { RunFailure } from './unknowns/run-failure.ts';
import { Unknowns } from './unknowns/unknowns.ts';

/** A checked problem with its unknowns, objective, options and first compiled simulation. */
export interface Prepared {
  readonly problem: Problem;
  readonly unknowns: Unknowns;
  readonly objective: Objective;
  readonly options: FullOptions;
  readonly controls: EstimateControls;
  readonly horizons: Horizons;
  readonly simulations: SimulationPool;
  /** Simulation without derivatives that runs all frames and records all fields that a result contains. */
  readonly predictor: Simulation;
  readonly recorded: readonly string[];
  readonly hadGradient: Uint8Array;
  readonly log: Log;
}

/**
 * Checks a problem and prepares it for the search.
 * @param earlier the same problem with given quantities fixed, if this is the fit that includes them; its log
 * continues.
 * @throws before anything runs, if the problem is inconsistent.
 */
export async function prepare(
  problem: Problem,
  controls: EstimateControls,
  earlier?: Pick<Prepared, 'log'>,
): Promise<Prepared> {
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1000;
  checkProblem(problem);
  refuseUnknownOptions<EstimateControls>('estimate', controls, CONTROL_KEYS);
  const { model, observations, arrays = [], given = [], derived = {}, predict = [], goal, worlds, refined } = problem;
  const unknowns = new Unknowns(problem, earlier ? 'fitted' : 'kept');
  refuseDerived(derived, unknowns);
  const objective = new Objective(problem, unknowns);
  const suited = {
    withoutResiduals: objective.withoutResiduals,
    hasArrays: arrays.length > 0,
    suitsHorizons: suitsHorizons(problem),
  };
  const options = fullOptions(problem.options, suited);
  const methodReason = methodReasonOf(problem.options, suited);
  refuseByValues(problem, unknowns, options);
  refuseShared(model, unknowns, options);
  if (given.length > 0 && !earlier) refuseGiven(problem, unknowns, options);
  if (worlds) refuseWorlds(worlds, { model, observations }, unknowns, options);
  const hadGradient = new Uint8Array(unknowns.count);
  const reportOf =
    (share: number): Plan['report'] =>
    (loss, x, show, notes) =>
      log.record(loss, x, share, show, notes);
  const simulations = new SimulationPool();
  const horizons = new Horizons(problem, objective, {
    unknowns,
    options,
    controls,
    simulations,
    hadGradient,
    reportOf,
  });
  if (options.uncertainty.verify) refuseUnrefinable(model, refined);
  if (goal) refuseGoal(goal);
  const looked = [...options.checks.flatMap(({ fields = [] }) => fields), ...predict, ...(goal ? [goal.field] : [])];
  const recorded = [...new Set([...objective.fields, ...looked.map(keyOf)])];
  const { device } = controls;
  const predictor = await objective.namingLoss(() =>
    open(problem, {
      device,
      memory: options.memory,
      record: recorded,
      comparisons: { list: objective.comparisons },
      parameters: unknowns.fields,
      derivative: 'none',
    }),
  );
  const found = { options, derived, unknowns, objective, hadGradient, uncertainty: null, otherIntervals: null };
  const log = new Log({ ...found, methodReason }, controls, seconds, earlier?.log);
  return {
    problem,
    unknowns,
    objective,
    options,
    controls,
    horizons,
    simulations,
    predictor,
    recorded,
    hadGradient,
    log,
  };
}

/**
 * Runs an act on a prepared problem and frees its simulations; turns an error in it into an {@link EstimateError} with
 * the best point so far.
 */
export async function whileRunning<T>(
  { log, predictor, simulations, options }: Prepared,
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof EstimateError) throw error;
    const cause = error instanceof RunFailure ? advised(error.cause, options.checks) : error;
    throw log.best ? new EstimateError(messageOf(cause), log.best(), cause) : cause;
  } finally {
    simulations.dispose();
    predictor.dispose();
  }
}

/** Error of a run, with the advice of checks that can no longer be made. */
function advised(error: unknown, checks: FullOptions['checks']): unknown {
  const hint = checks.flatMap((check) => check.hint ?? []).join(' ');
  return isGradsimError(error) && hint !== '' ? GradsimError.from({ ...error.toJSON(), hint }, error) : error;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** End of a search, with its history so far and its options. */
export const endOf = ({ log, options: { search } }: Prepared, ends: Ends, reachedMeanSquare?: number): SearchEnd => ({
  ...ends,
  history: log.history,
  options: { starts: search.starts, scan: search.scan, hops: search.hops },
  reachedMeanSquare,
});

const CONTROL_KEYS = { device: true, signal: true, onIteration: true, journal: true };

/** Checks given quantities. @throws if they cannot be fitted together with the unknowns. */
function refuseGiven(problem: Problem, unknowns: Unknowns, options: FullOptions): void {
  const { model } = problem;
  const all = new Unknowns(problem, 'fitted');
  const objective = new Objective(problem, all);
  if (unknowns.byValues !== null || problem.worlds || problem.goal) {
    const name = problem.worlds ? '`worlds`' : problem.goal ? 'a `goal`' : "an unknown with `derivative: 'none'`";
    throw new GradsimError(
      'optim/given-not-with',
      `The problem has \`given\` quantities and ${name}: their tolerances cannot be taken into account there.`,
      { hint: 'Leave one out.' },
    );
  }
  if (!hasErrors(objective, options))
    throw new GradsimError(
      'optim/given-not-with',
      'The problem has `given` quantities, whose tolerances are part of standard errors, and those are not asked for.',
      { hint: 'Set `uncertainty: { standardErrors: true }`, or leave `given` out.' },
    );
  refuseDeadUnknowns(model, all, objective);
  refuseShared(model, all, options);
}

/** True if the options and losses are such that the result has standard errors. */
export const hasErrors = (objective: Objective, { uncertainty }: FullOptions): boolean =>
  objective.residuals !== null && uncertainty.standardErrors;

/**
 * Checks options if one unknown is found by values alone. @throws for options that need derivatives of all unknowns.
 */
function refuseByValues({ worlds, clockTolerance }: Problem, unknowns: Unknowns, options: FullOptions): void {
  if (unknowns.byValues === null) return;
  const asked = {
    hops: options.search.hops > 0,
    verify: options.uncertainty.verify,
    intervals: hasOtherIntervals(options.uncertainty),
    worlds: worlds !== undefined,
    clockTolerance: (clockTolerance ?? 0) > 0,
  };
  for (const [name, isAsked] of Object.entries(asked))
    if (isAsked)
      throw new GradsimError(
        'optim/by-values-not-with',
        `${unknowns.names[unknowns.byValues]} is found by values alone (\`derivative: 'none'\`), over its whole range and with its own interval by profile, and \`${name}\` goes by derivatives of all unknowns.`,
        { hint: 'Leave it out.' },
      );
}

/** Checks fields that all worlds share. @throws if the search would need different values of them in several worlds. */
function refuseShared(model: Model, unknowns: Unknowns, options: FullOptions): void {
  const { method, starts, scan, hops } = options.search;
  const worlds = method === 'levenberg-marquardt' || options.uncertainty.standardErrors ? unknowns.count : 1;
  if (starts * worlds === 1 && scan === 0 && hops === 0) return;
  const shared = unknowns.fields.find((key) => model.field(key).shared);
  if (shared !== undefined)
    throw new GradsimError(
      'optim/shared-by-worlds',
      `${unknowns.blocks.find(({ field }) => field === shared)?.name ?? 'A tie'} sets ${shared}, which all worlds share, so there can only be one at a time.`,
      { hint: "Use `method: 'l-bfgs'`, without `starts`, `scan`, `hops` and `standardErrors`." },
    );
}
