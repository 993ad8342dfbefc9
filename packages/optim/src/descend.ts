import { createSimulation } from '@gradsim/core';
import type { Estimate, EstimateControls, EstimateOptions, Problem } from './experiment.ts';
import { LevenbergMarquardt } from './levenberg-marquardt.ts';
import { adam, sgd } from './optimizers.ts';
import { addPriors } from './priors.ts';
import type { Residuals } from './residuals.ts';
import type { Unknowns } from './unknowns.ts';

/** One descent from one or several points, side by side. */
export interface DescentRun {
  readonly problem: Problem;
  readonly options: Required<EstimateOptions>;
  readonly unknowns: Unknowns;
  readonly residuals: Residuals;
  readonly points: readonly Float64Array[];
  readonly controls: EstimateControls;
  readonly report: (loss: number, x: ArrayLike<number>) => void;
}

/** Where one start came to. */
export interface End {
  readonly x: Float64Array;
  readonly loss: number;
  /** J^T J over the sum of weights. */
  readonly hessian: Float64Array;
  /** J^T r of each frame by itself. */
  readonly scores: readonly Float64Array[];
}

export interface Ends {
  /** Of all starts, best first. */
  readonly ends: readonly End[];
  readonly stopped: Estimate['stopped'];
}

/** Goes down from all points with the method that the options name. */
export const descend = (run: DescentRun): Promise<Ends> =>
  run.options.method === 'levenberg-marquardt' ? leastSquares(run) : gradientDescent(run);

/** Lets timers and signals have their turn. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

const simulate = (
  { problem, unknowns, residuals, options, controls }: DescentRun,
  derivative: 'tangent' | 'adjoint',
  worlds: number,
) =>
  createSimulation(problem.model, {
    device: controls.device,
    frames: problem.frames,
    frameRate: problem.frameRate,
    substeps: problem.substeps,
    memory: options.memory,
    record: residuals.fields,
    parameters: unknowns.fields,
    derivative,
    worlds,
  });

async function leastSquares(run: DescentRun): Promise<Ends> {
  const { options, unknowns, residuals, points, controls, report } = run;
  const simulation = await simulate(run, 'tangent', points.length * unknowns.count);
  try {
    const lm = new LevenbergMarquardt(simulation, unknowns, residuals, options.tolerance);
    await lm.start(points);
    report(lm.best.loss, lm.best.x);
    let stopped: Estimate['stopped'] = 'iterations';
    for (let k = 0; ; k++) {
      await pause();
      if (lm.isDone) stopped = 'converged';
      else if (controls.signal?.aborted) stopped = 'interrupted';
      else if (k < options.iterations) {
        await lm.step();
        report(lm.best.loss, lm.best.x);
        continue;
      }
      return {
        ends: lm.descents.filter((d) => Number.isFinite(d.loss)).sort((a, b) => a.loss - b.loss),
        stopped,
      };
    }
  } finally {
    simulation.dispose();
  }
}

async function gradientDescent(run: DescentRun): Promise<Ends> {
  const { options, unknowns, residuals, points, controls, report } = run;
  const simulation = await simulate(run, 'adjoint', points.length);
  const bests = points.map((x) => ({ x, loss: Number.POSITIVE_INFINITY }));
  let stopped: Estimate['stopped'] = 'iterations';
  try {
    const optimizers = points.map(() => (options.method === 'adam' ? adam(options) : sgd(options)));
    const scales = unknowns.scales();
    let xs = [...points];
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
      const priors = xs.map((x, w) => {
        const system = {
          loss: losses[w],
          gradient: new Float64Array(x.length),
          hessian: new Float64Array(x.length ** 2),
          scores: [],
        };
        return addPriors(system, unknowns, x, residuals.count);
      });
      const before = Math.min(...bests.map((b) => b.loss));
      priors.forEach(({ loss }, w) => {
        if (loss < bests[w].loss) bests[w] = { x: xs[w], loss };
      });
      const best = bests.reduce((a, b) => (b.loss < a.loss ? b : a));
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
        const scaled = gradients[w].map((g, i) => {
          // Of the loss, twice that of its half in the least-squares system.
          const whole = g + 2 * priors[w].gradient[i];
          return Number.isFinite(whole) ? whole * scales[i] : 0;
        });
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
  // The Hessian at the best end, for the standard errors, from forward mode.
  const found = bests.filter((b) => Number.isFinite(b.loss)).sort((a, b) => a.loss - b.loss);
  const tangents = await simulate(run, 'tangent', unknowns.count);
  try {
    const lm = new LevenbergMarquardt(tangents, unknowns, residuals, options.tolerance);
    await lm.start([found[0].x]);
    const { hessian, scores } = lm.best;
    return { ends: found.map((end) => ({ ...end, hessian, scores })), stopped };
  } finally {
    tangents.dispose();
  }
}
