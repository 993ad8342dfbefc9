import type { Simulation } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import { coarse } from './coarse.ts';
import type { Estimate, EstimateControls, EstimateOptions, Iteration, Problem } from './experiment.ts';
import { LevenbergMarquardt } from './levenberg-marquardt.ts';
import { adam, sgd } from './optimizers.ts';
import { randomNumbers } from './random.ts';
import { Residuals } from './residuals.ts';
import { drawNeighbours, drawStarts } from './starts.ts';
import { uncertaintyOf } from './uncertainty.ts';
import { Unknowns } from './unknowns.ts';

export const ESTIMATE_DEFAULTS = {
  method: 'levenberg-marquardt',
  iterations: 100,
  tolerance: 1e-7,
  learningRate: 0.05,
  starts: 1,
  scan: 0,
  hops: 0,
  seed: 1,
  memory: 256e6,
} as const satisfies Required<EstimateOptions>;

/** Worlds of a search that run at once. */
const SEARCH_WORLDS = 16;
/** Points that one hop looks at, the present one included. */
const HOP_POINTS = 32;

/**
 * Estimates a problem's parameters from its observations.
 *
 * Interrupting through `controls.signal` gives the best so far, with `stopped: 'interrupted'`.
 *
 * ```ts
 * const { parameters } = await estimate(problem, { device: await selectDevice('auto') });
 * console.log(parameters.mass.estimate, parameters.mass.standardError);
 * ```
 * @throws before anything runs, when the problem is inconsistent; later, when every start gives values that are not
 * finite.
 */
export async function estimate(problem: Problem, controls: EstimateControls): Promise<Estimate> {
  const began = performance.now();
  const options = { ...ESTIMATE_DEFAULTS, ...withoutUndefined(problem.options ?? {}) };
  const { model, frames, frameRate, substeps } = problem;
  const unknowns = new Unknowns(model, problem.parameters);
  const record = [...new Set(problem.observations.map((o) => o.field))];
  const base = {
    device: controls.device,
    frames,
    frameRate,
    substeps,
    memory: options.memory,
    record,
    parameters: unknowns.fields,
  };
  const history: Iteration[] = [];
  const seconds = (): number => (performance.now() - began) / 1000;
  const random = randomNumbers(options.seed);

  // Passes may bring recorded fields into being: compiling first lets the observations be checked against them.
  const predictor = await createSimulation(model, { ...base, derivative: 'none', worlds: 1 });
  const residuals = new Residuals(model, problem.observations, frames);
  const search = new Search(problem, base, unknowns, controls.signal);
  const compileSeconds = seconds();
  try {
    const points = await search.best(
      drawStarts(unknowns, Math.max(options.starts, options.scan, 1), random),
      options.starts,
    );
    const report = (loss: number, x: ArrayLike<number>): void => {
      const line: Iteration = {
        iteration: history.length,
        loss,
        parameters: unknowns.named(unknowns.values(x)),
        seconds: seconds(),
      };
      history.push(line);
      controls.onIteration?.(line, options.iterations);
    };
    const descend = options.method === 'levenberg-marquardt' ? leastSquares : gradientDescent;
    const run = { problem, base, options, unknowns, residuals, controls, report };
    let end = await descend({ ...run, points });
    for (
      let hop = 0;
      hop < options.hops && end.stopped === 'converged' && !residuals.isExact(end.loss);
      hop++
    ) {
      const around = [end.x, ...drawNeighbours(unknowns, end.x, HOP_POINTS - 1, random)];
      const [better] = await search.best(around, 1);
      if (better === end.x) break;
      const next = await descend({ ...run, points: [better] });
      if (next.loss < end.loss) end = next;
    }
    const uncertainty = uncertaintyOf(
      unknowns,
      end.x,
      end.hessian.map((h) => h * residuals.weight),
      end.loss * residuals.weight,
      residuals.count,
    );
    unknowns.apply(predictor, [end.x]);
    predictor.forward();
    const predicted = Object.fromEntries(
      await Promise.all(record.map(async (key) => [key, await predictor.readFrames(key)] as const)),
    );
    const values = unknowns.values(end.x);
    const parameters = Object.fromEntries(
      unknowns.list.map(({ spec }, k) => [
        spec.name,
        {
          estimate: values[k],
          standardError: uncertainty.standardErrors[k],
          unit: spec.unit ?? model.field(spec.field).unit ?? '',
          initial: spec.initial,
          ...(spec.truth === undefined ? {} : { truth: spec.truth }),
        },
      ]),
    );
    return {
      parameters,
      loss: end.loss,
      residual: Math.sqrt(end.loss),
      undetermined: uncertainty.undetermined,
      leastDetermined: uncertainty.leastDetermined,
      correlation: uncertainty.correlation,
      history,
      stopped: end.stopped,
      seconds: { compile: compileSeconds, run: seconds() - compileSeconds },
      seed: options.seed,
      device: `${controls.device.kind}: ${controls.device.description}`,
      predicted,
    };
  } finally {
    search.dispose();
    predictor.dispose();
  }
}

const withoutUndefined = (options: EstimateOptions): EstimateOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

interface Run {
  readonly problem: Problem;
  readonly base: Omit<Parameters<typeof createSimulation>[1], 'derivative' | 'worlds'>;
  readonly options: Required<EstimateOptions>;
  readonly unknowns: Unknowns;
  readonly residuals: Residuals;
  readonly points: Float64Array[];
  readonly controls: EstimateControls;
  readonly report: (loss: number, x: ArrayLike<number>) => void;
}
interface End {
  readonly x: Float64Array;
  readonly loss: number;
  /** J^T J over the sum of weights. */
  readonly hessian: Float64Array;
  readonly stopped: Estimate['stopped'];
}

/** Compares points by their loss on few frames, many at a time. */
class Search {
  readonly #problem: Problem;
  readonly #base: Run['base'];
  readonly #unknowns: Unknowns;
  readonly #signal?: AbortSignal;
  #simulation: Simulation | null = null;
  #residuals: Residuals | null = null;

  constructor(problem: Problem, base: Run['base'], unknowns: Unknowns, signal?: AbortSignal) {
    this.#problem = coarse(problem);
    this.#base = base;
    this.#unknowns = unknowns;
    this.#signal = signal;
  }

  /** The `keep` points of least loss, best first; all of them where there are no more. */
  async best(points: Float64Array[], keep: number): Promise<Float64Array[]> {
    if (points.length <= keep) return points;
    const { frames, frameRate, substeps, model, observations } = this.#problem;
    this.#simulation ??= await createSimulation(model, {
      ...this.#base,
      frames,
      frameRate,
      substeps,
      derivative: 'none',
      worlds: SEARCH_WORLDS,
    });
    this.#residuals ??= new Residuals(model, observations, frames);
    const losses: number[] = [];
    const worlds = [...Array(SEARCH_WORLDS).keys()];
    for (let from = 0; from < points.length && !(this.#signal?.aborted && from > 0); from += SEARCH_WORLDS) {
      const batch = worlds.map((w) => points[Math.min(from + w, points.length - 1)]);
      this.#unknowns.apply(this.#simulation, batch);
      this.#simulation.forward();
      const found = await this.#residuals.losses(this.#simulation, worlds);
      losses.push(...found.slice(0, points.length - from));
    }
    return losses
      .map((loss, k) => ({ loss: Number.isFinite(loss) ? loss : Number.POSITIVE_INFINITY, point: points[k] }))
      .sort((a, b) => a.loss - b.loss)
      .slice(0, keep)
      .map(({ point }) => point);
  }

  dispose(): void {
    this.#simulation?.dispose();
  }
}

/** Lets timers and signals have their turn. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

async function leastSquares({
  problem,
  base,
  options,
  unknowns,
  residuals,
  points,
  controls,
  report,
}: Run): Promise<End> {
  const simulation = await createSimulation(problem.model, {
    ...base,
    derivative: 'tangent',
    worlds: points.length * unknowns.count,
  });
  try {
    const lm = new LevenbergMarquardt(simulation, unknowns, residuals, options.tolerance);
    await lm.start(points);
    report(lm.best.loss, lm.best.x);
    let stopped: Estimate['stopped'] = 'iterations';
    for (let k = 1; k <= options.iterations; k++) {
      await pause();
      if (controls.signal?.aborted) {
        stopped = 'interrupted';
        break;
      }
      if (lm.isDone) {
        stopped = 'converged';
        break;
      }
      await lm.step();
      report(lm.best.loss, lm.best.x);
    }
    if (lm.isDone) stopped = stopped === 'interrupted' ? stopped : 'converged';
    return { ...lm.best, stopped };
  } finally {
    simulation.dispose();
  }
}

async function gradientDescent({
  problem,
  base,
  options,
  unknowns,
  residuals,
  points,
  controls,
  report,
}: Run): Promise<End> {
  const simulation = await createSimulation(problem.model, {
    ...base,
    derivative: 'adjoint',
    worlds: points.length,
  });
  let best = { x: points[0], loss: Number.POSITIVE_INFINITY };
  let stopped: Estimate['stopped'] = 'iterations';
  try {
    const optimizers = points.map(() => (options.method === 'adam' ? adam(options) : sgd(options)));
    const scales = unknowns.scales();
    let xs = points;
    let calm = 0;
    for (let k = 0; k <= options.iterations; k++) {
      await pause();
      if (controls.signal?.aborted && k > 0) {
        stopped = 'interrupted';
        break;
      }
      unknowns.apply(simulation, xs);
      simulation.forward();
      const { losses, seeds } = await residuals.seeds(simulation);
      if (losses.every((loss) => !Number.isFinite(loss)))
        throw await simulation.locateNonFinite('The loss', losses[0]);
      const before = best.loss;
      losses.forEach((loss, w) => {
        if (loss < best.loss) best = { x: xs[w], loss };
      });
      report(best.loss, best.x);
      calm = before - best.loss <= options.tolerance * best.loss ? calm + 1 : 0;
      // A momentum method may climb for a while; this many steps without gain are no hill.
      if (calm >= 30) {
        stopped = 'converged';
        break;
      }
      simulation.backward(seeds);
      const gradients = await unknowns.gradients(simulation, xs);
      xs = xs.map((x, w) => {
        const scaled = gradients[w].map((g, i) => (Number.isFinite(g) ? g * scales[i] : 0));
        return optimizers[w]
          .step(
            x.map((value, i) => value / scales[i]),
            scaled,
          )
          .map((value, i) => value * scales[i]);
      });
    }
  } finally {
    simulation.dispose();
  }
  // The Hessian at the end, for the standard errors, from forward mode.
  const tangents = await createSimulation(problem.model, {
    ...base,
    derivative: 'tangent',
    worlds: unknowns.count,
  });
  try {
    const lm = new LevenbergMarquardt(tangents, unknowns, residuals, options.tolerance);
    await lm.start([best.x]);
    return { x: best.x, loss: best.loss, hessian: lm.best.hessian, stopped };
  } finally {
    tangents.dispose();
  }
}
