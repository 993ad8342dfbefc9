import { createSimulation } from '@gradsim/core';
import { upTo } from './coarse.ts';
import type { Ends } from './descend.ts';
import type { Estimate, EstimateControls, EstimateOptions, Iteration, Problem } from './experiment.ts';
import { throughHorizon } from './horizon.ts';
import { randomNumbers } from './random.ts';
import { Residuals } from './residuals.ts';
import { drawStarts } from './starts.ts';
import { uncertaintyOf } from './uncertainty.ts';
import { Unknowns } from './unknowns.ts';

export const ESTIMATE_DEFAULTS = {
  method: 'levenberg-marquardt',
  iterations: 100,
  tolerance: 1e-7,
  learningRate: 0.05,
  starts: 1,
  scan: 0,
  horizons: [1],
  hops: 0,
  seed: 1,
  memory: 256e6,
} as const satisfies Required<EstimateOptions>;

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
  checkOptions(options);
  const unknowns = new Unknowns(model, problem.parameters);
  const record = [...new Set(problem.observations.map((o) => o.field))];
  const history: Iteration[] = [];
  const seconds = (): number => (performance.now() - began) / 1000;
  const random = randomNumbers(options.seed);

  // Passes may bring recorded fields into being: compiling first lets the observations be checked against them.
  const predictor = await createSimulation(model, {
    device: controls.device,
    frames,
    frameRate,
    substeps,
    memory: options.memory,
    record,
    parameters: unknowns.fields,
    derivative: 'none',
  });
  try {
    const residuals = new Residuals(model, problem.observations, frames);
    const parts = options.horizons.map((share) => ({ share, part: upTo(problem, share) }));
    const compileSeconds = seconds();
    let points: readonly Float64Array[] = drawStarts(
      unknowns,
      Math.max(options.starts, options.scan),
      random,
    );
    // Every horizon and every hop is a descent of its own.
    const most = options.iterations * options.horizons.length * (options.hops + 1);
    let found: Ends = { ends: [], stopped: 'iterations' };
    for (const { share, part } of parts) {
      // An interrupted run still ends with a look at all frames.
      if (controls.signal?.aborted && share < 1) continue;
      const report = (loss: number, x: ArrayLike<number>): void => {
        const parameters = unknowns.named(unknowns.values(x));
        const line = { iteration: history.length, loss, horizon: share, parameters, seconds: seconds() };
        history.push(line);
        controls.onIteration?.(line, most);
      };
      const compared = share === 1 ? residuals : new Residuals(model, part.observations, part.frames);
      const run = { problem: part, options, unknowns, residuals: compared, points, controls, report };
      const through = await throughHorizon(run, random);
      points = through.candidates;
      found = through;
    }
    const [end] = found.ends;
    const uncertainty = uncertaintyOf(
      unknowns,
      end.x,
      end.hessian.map((h) => h * residuals.weight),
      end.loss * residuals.weight,
      residuals.count,
      end.scores,
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
      stopped: found.stopped,
      seconds: { compile: compileSeconds, run: seconds() - compileSeconds },
      seed: options.seed,
      device: `${controls.device.kind}: ${controls.device.description}`,
      predicted,
    };
  } finally {
    predictor.dispose();
  }
}

const withoutUndefined = (options: EstimateOptions): EstimateOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

const METHODS = ['levenberg-marquardt', 'adam', 'sgd'] as const;

/** @throws for a method that is not there, numbers out of range, or horizons that do not ascend to the whole, 1. */
function checkOptions({ horizons, method, ...options }: Required<EstimateOptions>): void {
  if (!METHODS.includes(method))
    throw new Error(`There is no method "${method}"; the methods are ${METHODS.join(', ')}.`);
  const least = { iterations: 0, starts: 1, scan: 0, hops: 0, seed: 0 } as const;
  for (const name of Object.keys(least) as (keyof typeof least)[]) {
    if (!(Number.isInteger(options[name]) && options[name] >= least[name]))
      throw new Error(
        `\`${name}\` is ${options[name]}; it must be a whole number of at least ${least[name]}.`,
      );
  }
  for (const name of ['tolerance', 'learningRate'] as const) {
    if (!(options[name] >= 0 && Number.isFinite(options[name])))
      throw new Error(`\`${name}\` is ${options[name]}; it must be a number of at least 0.`);
  }
  const ascends = horizons.every((share, k) => k === 0 || share > horizons[k - 1]);
  if (!ascends || horizons[horizons.length - 1] !== 1)
    throw new Error(
      `The horizons are ${horizons.join(', ') || 'none'}; they must ascend and end with 1, all frames.`,
    );
}
