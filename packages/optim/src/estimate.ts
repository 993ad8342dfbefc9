import { createSimulation } from '@gradsim/core';
import { upTo } from './coarse.ts';
import type { End, Ends } from './descend.ts';
import { descend } from './descend.ts';
import type { Estimate, EstimateControls, EstimateOptions, Iteration, Problem } from './experiment.ts';
import { randomNumbers } from './random.ts';
import { Residuals } from './residuals.ts';
import { Search } from './search.ts';
import { drawAround, drawStarts } from './starts.ts';
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

/** Points that are drawn around every end of a descent: by a hop, and before the next horizon. */
const POINTS_AROUND = 31;

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
  const residuals = new Residuals(model, problem.observations, frames);
  const parts = options.horizons.map((share) => ({ share, part: upTo(problem, share) }));
  const compileSeconds = seconds();
  try {
    let points = drawStarts(unknowns, Math.max(options.starts, options.scan, 1), random);
    let found: Ends = { ends: [], stopped: 'iterations' };
    for (const { share, part } of parts) {
      if (controls.signal?.aborted && share < 1) continue;
      const compared = share === 1 ? residuals : new Residuals(model, part.observations, part.frames);
      const search = new Search(part, unknowns, controls);
      const report = (loss: number, x: ArrayLike<number>): void => {
        const parameters = unknowns.named(unknowns.values(x));
        const line: Iteration = {
          iteration: history.length,
          loss,
          horizon: share,
          parameters,
          seconds: seconds(),
        };
        history.push(line);
        controls.onIteration?.(line, options.iterations);
      };
      const run = { problem: part, options, unknowns, residuals: compared, controls, report };
      try {
        const around = (end: End, count: number): Float64Array[] =>
          drawAround(unknowns, { ...end, loss: Math.max(end.loss, compared.exactLoss) }, count, random);
        points = await search.best(points, options.starts);
        found = await descend({ ...run, points });
        for (let hop = 0; hop < options.hops && found.stopped === 'converged'; hop++) {
          const [best] = found.ends;
          if (compared.isExact(best.loss)) break;
          const [better] = await search.best([best.x, ...around(best, POINTS_AROUND)], 1);
          if (better === best.x) break;
          const next = await descend({ ...run, points: [better] });
          if (next.ends[0].loss < best.loss) found = { ...next, ends: [...next.ends, ...found.ends] };
        }
        // The next stage begins here, and around: what is not determined yet is drawn from its whole range.
        const kept = found.ends.slice(0, compared.isExact(found.ends[0].loss) ? 1 : options.starts);
        const count = Math.ceil(Math.max(options.scan, POINTS_AROUND) / kept.length);
        points = [...kept.map((end) => end.x), ...kept.flatMap((end) => around(end, count))];
      } finally {
        search.dispose();
      }
    }
    const [end] = found.ends;
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
