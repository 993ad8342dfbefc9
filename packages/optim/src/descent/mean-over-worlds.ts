import type { Simulation } from '@gradsim/core';
import { pause } from '@gradsim/core/internal';
import { noJournal } from '../plan/journal.ts';
import { simulate } from '../plan/plan.ts';
import type { Ends } from '../posterior/found.ts';
import type { Worlds } from '../problem/worlds.ts';
import { RunFailure } from '../unknowns/run-failure.ts';
import type { Descent } from './descent.ts';
import { framesOf } from './descent.ts';
import { startDescent } from './gradient-methods.ts';
import type { DrawnValues } from './world-draws.ts';
import { drawsOf } from './world-draws.ts';

/** Input of a descent of the mean loss over a problem's worlds. */
export type WorldsRun = Descent & { readonly worlds: Worlds };

/** Mean loss over worlds, with its gradient in natural steps. */
interface MeanEvaluation {
  /** Mean loss over the worlds that count; not finite if none does. */
  readonly loss: number;
  readonly gradient: Float64Array;
  /** Original norm of the longest gradient of a world that was shortened; 0 for none. */
  readonly clipped: number;
  /** Number of worlds that are excluded, since their run or gradient was not finite. */
  readonly exploded: number;
  readonly failure?: unknown;
}

/**
 * Descends along the gradient of the mean loss over worlds. If worlds are redrawn for every iteration, the last point
 * is the end, since losses of different iterations are not comparable.
 */
export async function descendOverWorlds(run: WorldsRun): Promise<Ends> {
  const { unknowns, points, controls, report } = run;
  const { iterations, clip } = run.options.search;
  const { journal = noJournal } = controls;
  const { drawEachIteration = true, count } = run.worlds;
  const scales = unknowns.scales();
  const descent = startDescent(
    run,
    points[0].map((value, k) => value / scales[k]),
  );
  const draw = drawsOf(run, run.worlds);
  const simulation = await simulate(run, 'adjoint', count);
  let end = { x: points[0], loss: Number.POSITIVE_INFINITY };
  let stopped: Ends['stopped'] = 'iterations';
  try {
    for (let k = 0; k <= iterations; k++) {
      await pause();
      if (controls.signal?.aborted && k > 0) {
        stopped = 'interrupted';
        break;
      }
      const x = descent.point.map((value, i) => value * scales[i]);
      const drawn = draw();
      const found = await journal.once('gradients', [x, ...drawn.values()], () =>
        evaluateMean(run, simulation, x, drawn),
      );
      const { loss, gradient, exploded } = found;
      gradient.forEach((g, i) => {
        if (g !== 0) run.hadGradient[i] = 1;
      });
      if (drawEachIteration ? Number.isFinite(loss) : loss < end.loss) end = { x, loss };
      if (end.loss === Number.POSITIVE_INFINITY)
        throw found.failure ?? (await simulation.locateNonFinite('The loss', loss));
      const length = lengthOf(gradient);
      const isLong = clip !== undefined && length > clip;
      descent.acceptEvaluation(loss, isLong ? gradient.map((g) => (g * clip) / length) : gradient);
      const clipped = Math.max(found.clipped, isLong ? length : 0);
      await report(end.loss, end.x, (field) => framesOf(simulation, field, 0), {
        ...(clipped > 0 ? { clipped } : {}),
        ...(exploded > 0 ? { exploded } : {}),
      });
      if (!drawEachIteration && descent.isDone) {
        stopped = 'tolerance';
        break;
      }
    }
  } finally {
    simulation.dispose();
  }
  return { ends: [end], stopped };
}

const lengthOf = (gradient: ArrayLike<number>): number => {
  let sum = 0;
  for (let k = 0; k < gradient.length; k++) sum += gradient[k] ** 2;
  return Math.sqrt(sum);
};

async function evaluateMean(
  run: WorldsRun,
  simulation: Simulation,
  x: Float64Array,
  drawn: DrawnValues,
): Promise<MeanEvaluation> {
  try {
    return await evaluate(run, simulation, x, drawn, new Set());
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error;
    return noFiniteWorld(run, error.cause);
  }
}

const noFiniteWorld = ({ unknowns, worlds }: WorldsRun, failure?: unknown): MeanEvaluation => ({
  loss: Number.NaN,
  gradient: new Float64Array(unknowns.count),
  clipped: 0,
  exploded: worlds.count,
  failure,
});

/**
 * Evaluates the mean loss and its gradient.
 * @param excluded worlds that are excluded, since their runs were not finite; they run with the values of another world.
 */
async function evaluate(
  run: WorldsRun,
  simulation: Simulation,
  x: Float64Array,
  drawn: DrawnValues,
  excluded: ReadonlySet<number>,
): Promise<MeanEvaluation> {
  const { unknowns, objective } = run;
  const { model } = run.run;
  const { count, clip = Number.POSITIVE_INFINITY } = run.worlds;
  const xs = Array.from({ length: count }, () => x);
  unknowns.apply(simulation, xs);
  for (const [key, values] of drawn) simulation.set(key, values);
  simulation.forward({ frames: run.run.frames });
  const { losses, seeds, squares, directDerivatives } = await objective.assess(simulation, xs);
  const failed = [...losses.keys()].filter((w) => !Number.isFinite(losses[w]));
  if (failed.length > 0) {
    const finite = losses.findIndex((loss, w) => Number.isFinite(loss) && !excluded.has(w));
    if (finite < 0) return noFiniteWorld(run);
    return evaluate(
      run,
      simulation,
      x,
      withReplacements(drawn, count, failed, finite),
      new Set([...excluded, ...failed]),
    );
  }
  for (const values of Object.values(seeds)) zeroAdjoints(values, simulation, excluded);
  for (const w of excluded) squares[w] = 0;
  simulation.backward(seeds, squares);
  const scales = unknowns.scales();
  const sum = new Float64Array(unknowns.count);
  let [clipped, exploded] = [0, excluded.size];
  // A field that all worlds share has one gradient, the sum.
  const isShared = unknowns.fields.some((key) => model.field(key).shared);
  const counting = directDerivatives.map((own, w) => (excluded.has(w) ? new Map<string, Float64Array>() : own));
  for (const gradient of await unknowns.gradients(simulation, xs, counting)) {
    for (let k = 0; k < gradient.length; k++) gradient[k] *= scales[k];
    const length = lengthOf(gradient);
    if (!Number.isFinite(length)) {
      if (isShared) return noFiniteWorld(run);
      exploded++;
      continue;
    }
    const share = Math.min(1, clip / length);
    if (share < 1) clipped = Math.max(clipped, length);
    for (let k = 0; k < sum.length; k++) sum[k] += share * gradient[k];
  }
  const counted = count - excluded.size;
  if (exploded >= count) return noFiniteWorld(run);
  let loss = 0;
  losses.forEach((own, w) => {
    if (!excluded.has(w)) loss += own / counted;
  });
  const summed = isShared ? counted : count - exploded;
  return { loss, gradient: sum.map((g) => g / summed), clipped, exploded };
}

/** Copy of the drawn values in which some worlds have those of one other world. */
function withReplacements(drawn: DrawnValues, count: number, failed: readonly number[], by: number): DrawnValues {
  return new Map(
    [...drawn].map(([key, values]) => {
      const size = values.length / count;
      const replaced = values.slice();
      for (const w of failed) replaced.set(values.subarray(by * size, (by + 1) * size), w * size);
      return [key, replaced];
    }),
  );
}

/** Sets the adjoints of some worlds to 0, in place; flat [frame][world][element][component]. */
function zeroAdjoints(
  adjoint: Float64Array,
  { framesTaken: frames, worlds }: Simulation,
  excluded: ReadonlySet<number>,
): void {
  const size = adjoint.length / frames / worlds;
  for (const w of excluded)
    for (let f = 0; f < frames; f++) adjoint.fill(0, (f * worlds + w) * size, (f * worlds + w + 1) * size);
}
