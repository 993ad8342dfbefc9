import { GradsimError } from '@gradsim/core';
import { evidenceAt } from '../covariance/evidence.ts';
import { Objective } from '../objective/objective.ts';
import { priorInformation } from '../objective/priors.ts';
import { planOf } from '../plan/plan.ts';
import { SimulationPool } from '../plan/simulation-pool.ts';
import { suitsHorizons } from '../problem/fewer-frames.ts';
import { fullOptions } from '../problem/options.ts';
import { checkProblem, type Problem } from '../problem/problem.ts';
import { open } from '../problem/run.ts';
import type { EstimateControls } from '../result.ts';
import { directionsOf, inverseOf, isFreeIn } from '../unknowns/information.ts';
import { Unknowns } from '../unknowns/unknowns.ts';
import { changedProblem, observedOnly, type PlanCandidate, type PlanChange } from './change.ts';

/** Observed fields of a run, frame by frame, by key. */
export type PredictedFrames = Readonly<Record<string, Float64Array>>;

/** Options of {@link planExperiment}. */
export interface PlanOptions {
  readonly candidates: readonly PlanCandidate[];
  /** Names of the parameters that are wanted. */
  readonly wanted: readonly string[];
  /** Values of unknowns and given quantities, by name. Default: those at which a search would start. */
  readonly values?: Readonly<Record<string, number>>;
  /** Standard errors that an estimate found, by name: foretold ones are these times what the change makes of them. */
  readonly found?: Readonly<Record<string, number | null>>;
  /** Returns whether what moves is seen in a frame, as where it is in the picture. Default: always. */
  readonly isSeen?: (predicted: PredictedFrames, frame: number) => boolean;
}

/** A candidate with the standard errors that it would give. */
export interface PlannedExperiment {
  readonly words: string;
  /** Foretold standard error of each wanted parameter, by name; infinite if the experiment would not determine it. */
  readonly standardErrors: Readonly<Record<string, number>>;
  /** Mean ratio of foretold standard errors to the present ones, as a geometric mean; below 1 is better. */
  readonly ratio: number;
  /** Number of frames, and of those in which the thing is seen. */
  readonly frames: number;
  readonly seenFrames: number;
}

/** Result of {@link planExperiment}: the experiment as it is, and the others, the best first. */
export interface ExperimentPlan {
  readonly now: PlannedExperiment;
  readonly planned: readonly PlannedExperiment[];
  /** Candidates that cannot be foretold, with the reason. */
  readonly failed: readonly { readonly words: string; readonly reason: string }[];
}

/** Information relative to that of the best determined direction below which it counts as none. */
const SMALLEST_SHARE = 1e-12;

/**
 * Foretells how well other experiments would determine parameters: by the Fisher information of each, J^T J of the model's
 * own observations with their stated noise, and of priors and tolerances. Each takes one run with derivatives; nothing is
 * searched.
 *
 * ```ts
 * const { planned } = await planExperiment(problem, { wanted: ['gravity'], candidates }, { device });
 * console.log(planned[0].words, planned[0].standardErrors.gravity);
 * ```
 * @throws for a name that the problem does not have, and for a problem without observations, or with losses, arrays, worlds,
 * exposures, measured noise or an unknown without a derivative.
 */
export async function planExperiment(
  problem: Problem,
  options: PlanOptions,
  controls: Pick<EstimateControls, 'device' | 'signal'>,
): Promise<ExperimentPlan> {
  checkProblem(problem);
  refuseOther(problem, options.wanted);
  const values = { ...startOf(problem), ...options.values };
  const present = await errorsOf(problem, {}, values, options, controls);
  const { found = {} } = options;
  const scaled = (bars: Readonly<Record<string, number>>): Record<string, number> =>
    Object.fromEntries(
      options.wanted.map((name) => {
        const own = found[name];
        const isKnown = typeof own === 'number' && Number.isFinite(own) && Number.isFinite(present.bars[name]);
        return [name, isKnown ? (own * bars[name]) / present.bars[name] : bars[name]];
      }),
    );
  const now = {
    words: 'as it is',
    standardErrors: scaled(present.bars),
    ratio: 1,
    frames: present.frames,
    seenFrames: present.seen,
  };
  const planned: PlannedExperiment[] = [];
  const failed: { words: string; reason: string }[] = [];
  for (const { words, change } of options.candidates) {
    controls.signal?.throwIfAborted();
    try {
      const { bars, frames, seen } = await errorsOf(problem, change, values, options, controls);
      const standardErrors = scaled(bars);
      const ratios = options.wanted.map((name) => ratioOf(standardErrors[name], now.standardErrors[name]));
      planned.push({ words, standardErrors, ratio: Math.exp(mean(ratios.map(Math.log))), frames, seenFrames: seen });
    } catch (error) {
      if (controls.signal?.aborted) throw error;
      failed.push({ words, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return { now, planned: planned.sort((a, b) => a.ratio - b.ratio), failed };
}

const mean = (values: readonly number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length;

/** Ratio of two standard errors; of two infinite ones 1. */
const ratioOf = (a: number, b: number): number => (a === b ? 1 : a / b);

const startOf = ({ parameters = [], given = [] }: Problem): Record<string, number> =>
  Object.fromEntries([
    ...parameters.map(({ name, start, initial }) => [name, start ?? initial]),
    ...given.map(({ name, value }) => [name, value]),
  ]);

function refuseOther(
  { parameters = [], observations = [], losses = [], arrays = [], worlds }: Problem,
  wanted: readonly string[],
): void {
  const known = parameters.map(({ name }) => name);
  const other = wanted.find((name) => !known.includes(name));
  if (other !== undefined || wanted.length === 0)
    throw new GradsimError(
      'optim/parameter-missing',
      other === undefined ? 'A plan needs to know what is wanted.' : `The problem has no parameter ${other}.`,
      {
        hint: `It has ${known.join(', ')}.`,
      },
    );
  const has: Readonly<Record<string, boolean>> = {
    'no observations': observations.length === 0,
    'losses beside its observations': losses.length > 0,
    'arrays of unknowns': arrays.length > 0,
    worlds: worlds !== undefined,
    'exposures of several instants': observations.some(({ instants = 1 }) => instants > 1),
    'noise that is measured': observations.some(({ noise }) => noise === 'measured'),
    'an unknown without a derivative': parameters.some(({ derivative }) => derivative === 'none'),
  };
  const reason = Object.keys(has).find((what) => has[what]);
  if (reason !== undefined)
    throw new GradsimError('optim/plan-not-with', `Experiments cannot be planned for a problem with ${reason}.`);
}

/** Standard errors of the wanted parameters after a change. */
async function errorsOf(
  problem: Problem,
  change: PlanChange,
  values: Readonly<Record<string, number>>,
  { wanted, isSeen }: PlanOptions,
  controls: Pick<EstimateControls, 'device' | 'signal'>,
): Promise<{ bars: Record<string, number>; frames: number; seen: number }> {
  const whole = changedProblem(problem, change);
  const at = { ...values, ...change.values?.(values) };
  const unknown = Object.keys(at).find((name) => !Object.hasOwn(values, name));
  if (unknown !== undefined)
    throw new GradsimError(
      'optim/parameter-missing',
      `A plan changes ${unknown}, and the problem has no such quantity.`,
    );
  const unknowns = new Unknowns(whole, 'fitted');
  const x = unknowns.coordinatesOf(at);
  let seen = whole.frames;
  let observed = whole;
  if (isSeen) {
    const predicted = await predictedAt(whole, unknowns, x, controls);
    const inPicture = Array.from({ length: whole.frames }, (_, frame) => isSeen(predicted, frame));
    seen = inPicture.filter((own) => own).length;
    if (seen < 2)
      throw new GradsimError('optim/no-frames', `It would be seen in ${seen} of ${whole.frames} frames.`, {
        hint: 'The camera would not see it.',
      });
    observed = observedOnly(whole, (frame) => inPicture[frame]);
  }
  const objective = new Objective(observed, unknowns);
  const { withoutResiduals } = objective;
  const options = fullOptions(observed.options, {
    withoutResiduals,
    hasArrays: false,
    suitsHorizons: suitsHorizons(observed),
  });
  const simulations = new SimulationPool();
  try {
    const plan = planOf(observed, objective, {
      unknowns,
      options,
      controls,
      simulations,
      report: async () => {},
      hadGradient: new Uint8Array(unknowns.count),
    });
    const { hessian } = await evidenceAt(plan, x, false);
    const priors = priorInformation(unknowns, x);
    const n = unknowns.count;
    const information = hessian.map((h, k) => h + (k % (n + 1) === 0 ? priors[k % n] : 0));
    const directions = directionsOf(information, unknowns.scales(), SMALLEST_SHARE);
    const covariance = inverseOf(directions, unknowns.scales());
    const slopes = unknowns.derivatives(x);
    const { names } = unknowns;
    return {
      bars: Object.fromEntries(
        wanted.map((name) => {
          const i = names.indexOf(name);
          return [
            name,
            isFreeIn(directions, i)
              ? Number.POSITIVE_INFINITY
              : Math.sqrt(covariance[i * (n + 1)]) * Math.abs(slopes[i]),
          ];
        }),
      ),
      frames: whole.frames,
      seen,
    };
  } finally {
    simulations.dispose();
  }
}

/** Observed fields at a point. */
async function predictedAt(
  problem: Problem,
  unknowns: Unknowns,
  x: Float64Array,
  { device }: Pick<EstimateControls, 'device'>,
): Promise<PredictedFrames> {
  const keys = new Objective(problem, unknowns).fields;
  const simulation = await open(problem, { device, record: [...keys], derivative: 'none' });
  try {
    unknowns.apply(simulation, [x]);
    simulation.forward();
    const found: Record<string, Float64Array> = {};
    for (const key of keys) found[key] = await simulation.readFrames(key);
    return found;
  } finally {
    simulation.dispose();
  }
}
