import type { Simulation } from '@gradsim/core';
import { refuseUnknownOptions } from '@gradsim/core';
import type { Found } from './assemble.ts';
import { assemble } from './assemble.ts';
import { surenessByValues } from './inference/by-values-interval.ts';
import { refuseDerived } from './inference/derived.ts';
import type { OtherIntervals } from './inference/intervals.ts';
import { otherIntervals } from './inference/intervals.ts';
import type { Precision } from './inference/precision.ts';
import { gradientPrecision } from './inference/precision.ts';
import type { Sureness } from './inference/sureness.ts';
import { fitAt, isWeighed, lossUnitOf, settled, surenessAt } from './inference/sureness.ts';
import { verdictOf } from './inference/verdict.ts';
import { refuseUnverifiable, verified } from './inference/verify.ts';
import { refuseDeadUnknowns } from './objective/dead-unknowns.ts';
import { Objective } from './objective/objective.ts';
import { keyOf } from './problem/field-key.ts';
import type { GoalSpec, GoalVerdict } from './problem/goal.ts';
import { goalVerdict, refuseGoal } from './problem/goal.ts';
import { open } from './problem/open.ts';
import type { Settings } from './problem/options.ts';
import { methodReasonOf, settingsOf } from './problem/options.ts';
import type { Problem } from './problem/problem.ts';
import { randomNumbers } from './problem/random.ts';
import { refuseWorlds } from './problem/worlds.ts';
import type { Estimate, EstimateControls, Finding, Iteration, Verification } from './result.ts';
import { EstimateError } from './result.ts';
import type { DescentRun, Ends, ShowFrames } from './search/descend.ts';
import type { Horizon } from './search/horizons.ts';
import { Horizons } from './search/horizons.ts';
import { drawStarts } from './search/starts.ts';
import { throughHorizon } from './search/through-horizon.ts';
import { RunFailure } from './unknowns/run-failure.ts';
import { Unknowns } from './unknowns/unknowns.ts';

/**
 * Estimates a problem's unknowns: what makes its observations and losses smallest.
 *
 * Interrupting through `controls.signal` gives the best so far, with `stopped: 'interrupted'`.
 *
 * ```ts
 * const { parameters } = await estimate(problem, { device: await selectDevice('auto') });
 * console.log(parameters.mass.estimate, parameters.mass.standardError);
 * ```
 * @throws before anything runs, when the problem is inconsistent; later, when every start gives values that are not
 * finite, or a loss gives what it must not. What fails after the first iteration is an {@link EstimateError} with the
 * best so far.
 */
export async function estimate(problem: Problem, controls: EstimateControls): Promise<Estimate> {
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1000;
  refuseUnknownOptions<Problem>('The problem', problem, PROBLEM);
  if (typeof problem.model?.field !== 'function')
    throw new Error('The problem has no model; it needs one, such as buildModel(scene) gives.');
  for (const name of ['parameters', 'arrays', 'ties', 'observations', 'losses', 'checks'] as const)
    if (!Array.isArray(problem[name] ?? []))
      throw new Error(`The problem's ${name} must be a list, got ${JSON.stringify(problem[name])}.`);
  refuseUnknownOptions<EstimateControls>('estimate', controls, CONTROLS);
  const unknowns = new Unknowns(problem);
  refuseDerived(problem.derived ?? {}, unknowns);
  const objective = new Objective(problem, unknowns);
  const suited = {
    withoutResiduals: objective.withoutResiduals,
    hasArrays: (problem.arrays?.length ?? 0) > 0,
  };
  const options = settingsOf(problem.options, suited);
  const methodReason = methodReasonOf(problem.options, suited);
  refuseByValues(problem, unknowns, options);
  refuseShared(problem, unknowns, options);
  refuseWorlds(problem, unknowns, options);
  const horizons = new Horizons(problem, options, objective.residuals);
  if (options.verify) refuseUnverifiable(problem);
  if (problem.goal) refuseGoal(problem.goal);
  const { device } = controls;
  const checks = (problem.checks ?? []).map(({ field, of }) => ({ key: keyOf(field), of }));
  const toGoal = problem.goal ? [keyOf(problem.goal.field)] : [];
  const recorded = [...new Set([...objective.fields, ...checks.map(({ key }) => key), ...toGoal])];
  const predictor = await objective.named(() =>
    open(problem, {
      device,
      memory: options.memory,
      record: recorded,
      parameters: unknowns.fields,
      derivative: 'none',
    }),
  );
  const compile = seconds();
  const moved = new Uint8Array(unknowns.count);
  const { derived = {} } = problem;
  const found = { options, derived, unknowns, objective, moved, uncertainty: null, others: null };
  const log = new Log({ ...found, methodReason }, controls, seconds, compile);
  try {
    refuseDeadUnknowns(problem, unknowns, objective);
    const random = randomNumbers(options.seed);
    let points: readonly Float64Array[] = drawStarts(unknowns, Math.max(options.starts, options.scan), random);
    let ends: Ends = { ends: [], stopped: 'iterations' };
    let sureness: Sureness | null = null;
    let precision: Precision | null = null;
    let others: OtherIntervals | null = null;
    let byValues: readonly Finding[] = [];
    let verification: readonly Verification[] = [];
    const hasErrors = objective.residuals !== null && (options.method === 'levenberg-marquardt' || options.uncertainty);
    const foreseen = (): Simulation => {
      unknowns.apply(predictor, [ends.ends[0]?.x ?? points[0]]);
      predictor.forward();
      return predictor;
    };
    let horizon: Horizon | null = horizons.first();
    for (; horizon; horizon = await horizons.next(horizon, foreseen, controls.signal?.aborted === true)) {
      const { share, part } = horizon;
      // An interrupted run still ends with a look at all frames.
      if (controls.signal?.aborted && share < 1) continue;
      const compared = share === 1 ? objective : new Objective(part, unknowns, problem);
      const report: DescentRun['report'] = (loss, x, show, more) => log.take(loss, x, share, show, more);
      const run = {
        problem: part,
        options: horizon.options,
        unknowns,
        objective: compared,
        points,
        controls,
        report,
        moved,
      };
      const through = await throughHorizon(run, random);
      points = through.candidates;
      ends = through;
      if (share < 1) continue;
      if (!hasErrors) {
        if (ends.stopped !== 'interrupted') precision = await gradientPrecision(run, ends.ends[0].x);
        continue;
      }
      if (isWeighed(unknowns) && unknowns.count > 1)
        ends = { ...(await settled(run, through)), restarts: through.restarts };
      const isWhole = ends.stopped !== 'interrupted';
      if (unknowns.byValues === null) sureness = await surenessAt(run, ends.ends[0].x, isWhole);
      else ({ sureness, findings: byValues } = await surenessByValues(run, ends.ends[0], isWhole));
      precision = sureness.precision;
      if (ends.stopped === 'interrupted') continue;
      others = await otherIntervals(run, ends.ends[0], sureness, options.intervals);
      if (options.verify) verification = await verified(run, ends.ends[0].x);
      // What an interrupt cut short says nothing.
      if (controls.signal?.aborted) [others, verification, ends] = [null, [], { ...ends, stopped: 'interrupted' }];
    }
    const [end] = ends.ends;
    const uncertainty = sureness?.uncertainty ?? null;
    unknowns.apply(predictor, [end.x]);
    predictor.forward();
    const losses = await objective.parts(predictor, end.x);
    const predicted: Record<string, Float64Array> = {};
    for (const key of recorded) predicted[key] = await predictor.readFrames(key);
    const fit = await fitAt(predictor, { unknowns, objective }, uncertainty);
    const ending = log.ending(end.loss, ends.stopped);
    const goal = problem.goal && (await reached(problem.goal, { predictor, unknowns, predicted, ending }));
    const verdict = verdictOf({
      unknowns,
      options,
      stopped: ends.stopped,
      history: ending.history,
      ends: ends.ends,
      fit,
      uncertainty,
      unexplained: sureness?.evidence.unexplained ?? [],
      verification,
      others,
      precision,
      objective,
      byValues,
      hasGoal: goal !== undefined,
      exploded: ends.exploded,
      isDrawnAnew: problem.worlds !== undefined && problem.worlds.anew !== false,
      checked: checks.flatMap(({ key, of }) => {
        const finding = of(predicted[key]);
        return finding ? [{ kind: 'check' as const, ...finding }] : [];
      }),
      restarts: objective.isExact(end.loss) ? undefined : ends.restarts,
      lossUnit: sureness ? lossUnitOf(sureness, objective) : null,
    });
    return {
      ...ending,
      fit,
      verdict,
      verification,
      ...(goal ? { goal } : {}),
      ...assemble({ ...found, end, uncertainty, others }, objective.residuals ? losses.observations : null),
      parts: losses,
      predicted,
    };
  } catch (error) {
    const cause = error instanceof RunFailure ? error.cause : error;
    throw log.best ? new EstimateError(messageOf(cause), log.best(), cause) : cause;
  } finally {
    predictor.dispose();
  }
}

/** How a goal was come to. The last run is then that of the initial values. */
async function reached(
  goal: GoalSpec,
  found: {
    readonly predictor: Simulation;
    readonly unknowns: Unknowns;
    readonly predicted: Estimate['predicted'];
    readonly ending: Pick<Estimate, 'stopped'>;
  },
): Promise<GoalVerdict> {
  const { predictor, unknowns, predicted, ending } = found;
  const key = keyOf(goal.field);
  unknowns.apply(predictor, [unknowns.given()]);
  predictor.forward();
  const values = { start: await predictor.readFrames(key), end: predicted[key] };
  return goalVerdict(goal, values, ending.stopped);
}

const PROBLEM = {
  model: true,
  frames: true,
  frameRate: true,
  substeps: true,
  values: true,
  parameters: true,
  arrays: true,
  ties: true,
  derived: true,
  observations: true,
  losses: true,
  checks: true,
  worlds: true,
  options: true,
  goal: true,
  refined: true,
};
const CONTROLS = { device: true, signal: true, onIteration: true, journal: true };

/** Descents of the others, about, where one unknown is found by values alone. */
const FITS_AT_VALUES = 25;
/** How many there are of those that grow is not known beforehand. */
const USUAL_HORIZONS = 10;

/** Of what is told while it runs. */
const UNDER_WAY: Finding = {
  kind: 'interrupted',
  grave: true,
  note: 'The estimation had not come to its end.',
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What is known before the end. */
interface Begun extends Omit<Found, 'end'> {
  readonly methodReason: string;
}

/** Takes up the best point after every iteration, and tells who wants to know. */
class Log {
  /** The best so far; null before the first iteration. */
  best: (() => Estimate) | null = null;
  readonly #history: Iteration[] = [];
  readonly #found: Begun;
  readonly #controls: EstimateControls;
  readonly #seconds: () => number;
  readonly #compile: number;
  /** Every horizon and every hop is a descent of its own. */
  readonly #most: number;

  constructor(found: Begun, controls: EstimateControls, seconds: () => number, compile: number) {
    this.#found = found;
    this.#controls = controls;
    this.#seconds = seconds;
    this.#compile = compile;
    const { iterations, horizons, hops } = found.options;
    // A search tells of where it starts, too.
    const fits = found.unknowns.byValues === null ? 1 : FITS_AT_VALUES;
    this.#most = fits * (iterations + 1) * (horizons === 'growing' ? USUAL_HORIZONS : horizons.length) * (hops + 1) - 1;
  }

  async take(
    loss: number,
    x: Float64Array,
    horizon: number,
    frames: ShowFrames,
    more: Pick<Iteration, 'clipped' | 'distance' | 'exploded'> = {},
  ): Promise<void> {
    const { unknowns, objective } = this.#found;
    const parameters = unknowns.numbers(unknowns.values(x));
    const line: Iteration = {
      iteration: this.#history.length,
      loss,
      horizon,
      parameters,
      seconds: this.#seconds(),
      ...more,
    };
    this.#history.push(line);
    const best = (): Estimate => ({
      ...this.ending(loss, 'interrupted'),
      ...assemble({ ...this.#found, end: { x, loss } }, objective.withoutResiduals ? null : loss),
      withoutErrors: 'There are no standard errors: the estimation had not come to its end.',
      unmoved: [],
      parts: {},
      predicted: {},
      fit: null,
      verification: [],
      verdict: { trusted: false, findings: [UNDER_WAY] },
    });
    this.best = best;
    await this.#controls.onIteration?.(line, this.#most, {
      best,
      frames,
      method: this.#found.options.method,
      methodReason: this.#found.methodReason,
    });
  }

  /** How it went. */
  ending(
    loss: number,
    stopped: Estimate['stopped'],
  ): Pick<Estimate, 'loss' | 'history' | 'method' | 'methodReason' | 'stopped' | 'seconds' | 'seed' | 'device'> {
    const { methodReason, options } = this.#found;
    const { method, seed } = options;
    const { kind, description } = this.#controls.device;
    return {
      loss,
      stopped,
      method,
      methodReason,
      seed,
      history: [...this.#history],
      device: `${kind}: ${description}`,
      seconds: { compile: this.#compile, run: this.#seconds() - this.#compile },
    };
  }
}

/** @throws for options that go by derivatives, where one unknown is found by values alone. */
function refuseByValues({ worlds }: Problem, unknowns: Unknowns, options: Settings): void {
  if (unknowns.byValues === null) return;
  const asked = { ...options, intervals: options.intervals !== 'curvature', worlds: worlds !== undefined };
  for (const name of ['hops', 'verify', 'intervals', 'worlds'] as const)
    if (asked[name])
      throw new Error(
        `${unknowns.names[unknowns.byValues]} is found by values alone (\`derivative: 'none'\`), over its whole range and with its own interval by profile, and \`${name}\` goes by derivatives of all unknowns: leave it out.`,
      );
}

/** @throws where several worlds are to have values of their own of a field that all share. */
function refuseShared({ model }: Problem, unknowns: Unknowns, options: Settings): void {
  const { method, starts, scan, uncertainty, hops } = options;
  const worlds = method === 'levenberg-marquardt' || uncertainty ? unknowns.count : 1;
  if (starts * worlds === 1 && scan === 0 && hops === 0) return;
  const shared = unknowns.fields.find((key) => model.field(key).shared);
  if (shared !== undefined)
    throw new Error(
      `${unknowns.blocks.find(({ field }) => field === shared)?.name ?? 'A tie'} sets ${shared}, which all worlds share, so there can only be one at a time: use \`method: 'l-bfgs'\`, without \`starts\`, \`scan\`, \`hops\` and \`uncertainty\`.`,
    );
}
