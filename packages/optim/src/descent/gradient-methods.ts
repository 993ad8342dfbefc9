import type { Simulation } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import { pause } from '@gradsim/core/internal';
import { noJournal } from '../plan/journal.ts';
import type { Plan } from '../plan/plan.ts';
import { simulate } from '../plan/plan.ts';
import type { Ends, GradientExplosion } from '../posterior/found.ts';
import { keyOf } from '../problem/field-key.ts';
import { clamped } from '../unknowns/limits.ts';
import { GradientFailure, RunFailure } from '../unknowns/run-failure.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';
import type { Descent } from './descent.ts';
import { framesOf } from './descent.ts';
import { EXPLOSION_GROWTH, explosionNote, explosionOf } from './exploding-gradients.ts';
import { stepping } from './first-order.ts';
import { lbfgs } from './lbfgs.ts';
import { hessianAt } from './least-squares.ts';
import type { Minimiser } from './minimiser.ts';
import type { Optimizer } from './optimizers.ts';
import { adam, sgd } from './optimizers.ts';

/** Relative rounding error of losses in single precision. */
const LOSS_ROUNDING = 1e-7;

/** Loss of one start at its present point, with its gradient. */
interface Evaluation {
  /** The loss; not finite if the run failed or diverged. */
  readonly loss: number;
  readonly gradient: Float64Array;
  /** Distance from the goal, for problems with a goal. */
  readonly distance?: number;
  /** Error with which the run or its gradient failed, if it did. */
  readonly failure?: unknown;
  /** True if the run succeeded but its gradient is not finite. */
  readonly hasNoGradient?: boolean;
}

/**
 * Descends along gradients from all points: one forward and one backward run per iteration, for all starts together.
 */
export async function descendByGradient(run: Descent): Promise<Ends> {
  const { options, unknowns, objective, points, controls, report } = run;
  const { iterations, clip } = options.search;
  const { journal = noJournal } = controls;
  const scales = unknowns.scales();
  const descents = points.map((x) => startDescent(run, divided(x, scales)));
  const bests: Best[] = points.map((x) => ({ x, loss: Number.POSITIVE_INFINITY }));
  const simulation = run.simulation ?? (await simulate(run, 'adjoint', points.length));
  const monitors = points.map(() => new GradientMonitor());
  let exploded: ExplodedGradient | null = null;
  let stopped: Ends['stopped'] = 'iterations';
  try {
    for (let k = 0; k <= iterations; k++) {
      await pause();
      if (controls.signal?.aborted && k > 0) {
        stopped = 'interrupted';
        break;
      }
      const xs = descents.map(({ point }) => point.map((value, i) => value * scales[i]));
      const { found, moved } = await journal.once('gradients', xs, () => evaluateAll(run, simulation, xs));
      moved.forEach((has, i) => {
        if (has) run.hadGradient[i] = 1;
      });
      let clipped = 0;
      found.forEach(({ loss, gradient, distance }, w) => {
        if (loss < bests[w].loss) bests[w] = { x: xs[w], loss, distance };
        const natural = gradient.map((g, i) => g * scales[i]);
        const length = natural.reduce((sum, g) => Math.hypot(sum, g), 0);
        const first = monitors[w].look(found[w], length);
        if (first) exploded ??= { ...first, x: xs[w] };
        const isLong = clip !== undefined && length > clip;
        if (isLong) clipped = Math.max(clipped, length);
        descents[w].acceptEvaluation(loss, isLong ? natural.map((g) => (g * clip) / length) : natural);
      });
      const best = bests.reduce((a, b) => (b.loss < a.loss ? b : a));
      if (best.loss === Number.POSITIVE_INFINITY)
        throw await noStart(run, { simulation, x: xs[0], evaluation: found[0] });
      await report(best.loss, best.x, (field) => framesOf(simulation, field, bests.indexOf(best)), {
        ...(clipped > 0 ? { clipped } : {}),
        ...(best.distance === undefined ? {} : { distance: best.distance }),
      });
      if (objective.isExact(best.loss) || descents.every(({ isDone }) => isDone)) {
        stopped = 'tolerance';
        break;
      }
    }
  } finally {
    if (!run.simulation) run.simulations.release(simulation);
  }
  const ends = bests.filter(({ loss }) => Number.isFinite(loss)).sort((a, b) => a.loss - b.loss);
  const first = exploded as ExplodedGradient | null;
  const ending = first
    ? { stopped, exploded: await explosionOf(run, first.x, first.length, first.startNorm) }
    : { stopped };
  if (!options.uncertainty.standardErrors) return { ends, ...ending };
  const hessian = await hessianAt(run, ends[0].x);
  return { ends: ends.map((end) => ({ ...end, hessian })), ...ending };
}

/** Starts a descent with the chosen gradient method. @param point starting point, with coordinates in natural steps. */
export function startDescent({ options: { search }, controls, unknowns }: Plan, point: Float64Array): Minimiser {
  const { method, tolerance, learningRate } = search;
  const scales = unknowns.scales();
  const { low, high } = unknowns.limits();
  const limits = { low: divided(low, scales), high: divided(high, scales) };
  if (method === 'l-bfgs')
    return lbfgs(point, { ...search, limits, rounding: controls.device.precision === 'f32' ? LOSS_ROUNDING : 0 });
  const make = method === 'adam' ? adam : sgd;
  const rule = (share: number): Optimizer => make({ ...search, learningRate: share * learningRate });
  return stepping(point, rule, tolerance, (x) => clamped(x, limits));
}

const divided = (x: Float64Array, by: Float64Array): Float64Array => x.map((value, k) => value / by[k]);

/** Best point that one start has found, with its loss and distance from the goal. */
interface Best {
  readonly x: Float64Array;
  readonly loss: number;
  readonly distance?: number;
}

type ExplodedGradient = Omit<GradientExplosion, 'horizon'>;

/** Detects exploding gradients of one start from their norms. */
class GradientMonitor {
  #first: { readonly loss: number; readonly length: number } | null = null;

  look({ loss, hasNoGradient }: Evaluation, length: number): Omit<ExplodedGradient, 'x'> | null {
    const first = this.#first;
    if (hasNoGradient) return { length: null, startNorm: first?.length ?? null };
    if (!Number.isFinite(loss)) return null;
    this.#first ??= { loss, length };
    // For sums of squares the gradient is proportional to the root of the remaining loss.
    const grown = first ? Math.sqrt(Math.max(1, Math.abs(loss / first.loss))) : 1;
    const isLong = first !== null && first.length > 0 && length > EXPLOSION_GROWTH * grown * first.length;
    return isLong ? { length, startNorm: first.length } : null;
  }
}

interface NoStart {
  readonly simulation: Simulation;
  readonly x: Float64Array;
  readonly evaluation: Evaluation;
}

async function noStart(run: Descent, { simulation, x, evaluation }: NoStart): Promise<unknown> {
  const { loss, failure, hasNoGradient } = evaluation;
  if (failure instanceof Error && hasNoGradient)
    return new GradsimError(
      'optim/no-finite-start',
      `${failure.message} ${explosionNote(await explosionOf(run, x, null, null))}`,
      { cause: failure },
    );
  if (failure) return failure;
  if (loss === Number.POSITIVE_INFINITY)
    return new GradsimError('optim/no-finite-start', 'The loss is infinite at every start.', {
      hint: 'Begin where it is finite.',
    });
  return simulation.locateNonFinite('The loss', loss);
}

/** Evaluates all starts, and marks the unknowns that had a nonzero gradient in `moved`. */
async function evaluateAll(
  run: Descent,
  simulation: Simulation,
  xs: readonly Float64Array[],
): Promise<{ found: Evaluation[]; moved: Uint8Array }> {
  const hadGradient = new Uint8Array(run.unknowns.count);
  return { found: await evaluate({ ...run, hadGradient }, simulation, xs), moved: hadGradient };
}

/**
 * Losses and gradients of all starts, from one forward and one backward run. If the run of a start is not finite or
 * fails, that start has no gradient, and the others are run again without it.
 */
async function evaluate(run: Descent, simulation: Simulation, xs: readonly Float64Array[]): Promise<Evaluation[]> {
  try {
    return await evaluateTogether(run, simulation, xs);
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error;
    const nowhere = {
      loss: Number.NaN,
      gradient: new Float64Array(run.unknowns.count),
      failure: error.cause,
      ...(error instanceof GradientFailure ? { hasNoGradient: true } : {}),
    };
    if (xs.every((x) => x === xs[0])) return xs.map(() => nowhere);
    const found: Evaluation[] = [];
    for (const x of xs)
      found.push(
        (
          await evaluate(
            run,
            simulation,
            xs.map(() => x),
          )
        )[0],
      );
    return found;
  }
}

async function evaluateTogether(
  run: Descent,
  simulation: Simulation,
  xs: readonly Float64Array[],
): Promise<Evaluation[]> {
  const { unknowns, objective } = run;
  unknowns.apply(simulation, xs);
  simulation.forward({ frames: run.run.frames });
  const { losses, seeds, squares, directDerivatives, priors } = await objective.assess(simulation, xs);
  const finite = losses.findIndex(Number.isFinite);
  if (finite < 0) return xs.map((_, w) => ({ loss: losses[w], gradient: new Float64Array(unknowns.count) }));
  if (!losses.every(Number.isFinite)) {
    // Their adjoints would not be finite, either: another start takes their place.
    const replaced = xs.map((x, w) => (Number.isFinite(losses[w]) ? x : xs[finite]));
    const found = await evaluate(run, simulation, replaced);
    return found.map((at, w) => (Number.isFinite(losses[w]) ? at : { ...at, loss: losses[w] }));
  }
  const distances = await distancesOf(run, simulation);
  simulation.backward(seeds, squares);
  const gradients = await gradientsOf(run, simulation, xs, directDerivatives);
  return gradients.map((gradient, w) => {
    const prior = priors[w];
    for (let k = 0; k < gradient.length; k++) {
      if (gradient[k] !== 0) run.hadGradient[k] = 1;
      if (prior) gradient[k] += prior[k];
    }
    return { loss: losses[w], gradient, ...(distances ? { distance: distances[w] } : {}) };
  });
}

/** Distance of each world from the goal; null without a goal. */
async function distancesOf({ goal }: Plan, simulation: Simulation): Promise<number[] | null> {
  if (!goal) return null;
  const field = keyOf(goal.field);
  const found: number[] = [];
  for (let world = 0; world < simulation.worlds; world++)
    found.push(await goal.distance(await framesOf(simulation, field, world)));
  return found;
}

async function gradientsOf(
  { unknowns }: Descent,
  simulation: Simulation,
  xs: readonly Float64Array[],
  direct: Parameters<Unknowns['gradients']>[2],
): Promise<Float64Array[]> {
  try {
    return await unknowns.gradients(simulation, xs, direct);
  } catch (error) {
    throw error instanceof RunFailure ? new GradientFailure(error.cause) : error;
  }
}
