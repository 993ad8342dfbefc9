import type { Device } from '@gradsim/core';
import { f64Device } from '@gradsim/core';
import type { EstimateOptions, Iteration } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';
import { normalNumbers, randomNumbers, seedOfRun } from '../../../scripts/vitest/draws.ts';
import { drag, gravity, motesModel, motesProblem, RUN, seenBy, TRUTH, vx } from './motes.ts';

const device = f64Device();
const clean = await seenBy(motesModel());
const noisy = await seenBy(motesModel(), 0.02, normalNumbers(randomNumbers(seedOfRun('noise', 3))));
const NAMES = ['gravity', 'drag', 'vx'] as const;

describe('estimate', () => {
  it('finds the truth from exact data, trusted, with a standard error of gravity below 1e-6 m/s2', async () => {
    const {
      parameters,
      residual,
      stopped,
      undetermined,
      verdict,
      device: name,
    } = await estimate(motesProblem(clean), { device });
    for (const key of NAMES) expect(parameters[key].estimate).toBeCloseTo(TRUTH[key], 6);
    expect(parameters.gravity).toMatchObject({ unit: 'm/s2', initial: -4, truth: TRUTH.gravity });
    expect(parameters.drag.unit).toBe('1/s');
    expect(parameters.vx.truth).toBeUndefined();
    expect(parameters.gravity.standardError).toBeLessThan(1e-6);
    expect(residual).toBeLessThan(1e-6);
    expect(stopped).toBe('tolerance');
    expect(verdict).toMatchObject({ trusted: true, findings: [] });
    expect(undetermined).toEqual([]);
    expect(name).toMatch(/^f64/);
  });

  it('gives the same estimates and standard errors with Levenberg-Marquardt, L-BFGS, Adam and sgd', async () => {
    const byMethod = async (options: EstimateOptions) =>
      (
        await estimate(motesProblem(noisy, { options: { ...options, uncertainty: { standardErrors: true } } }), {
          device,
        })
      ).parameters;
    const lm = await byMethod({ search: { tolerance: 1e-10 } });
    const adam = await byMethod({ search: { method: 'adam', iterations: 1500, learningRate: 0.03, tolerance: 1e-12 } });
    const sgd = await byMethod({ search: { method: 'sgd', iterations: 1000, learningRate: 0.5, tolerance: 1e-12 } });
    const lbfgs = await byMethod({ search: { method: 'l-bfgs', tolerance: 1e-12 } });
    for (const key of NAMES) {
      // All minimise the same loss: they agree far within its standard error.
      const error = lm[key].standardError!;
      expect(error).toBeGreaterThan(0);
      expect(Math.abs(lm[key].estimate - TRUTH[key])).toBeLessThan(4 * error);
      for (const other of [lbfgs, adam, sgd]) {
        expect(Math.abs(other[key].estimate - lm[key].estimate)).toBeLessThan(0.02 * error);
        expect(other[key].standardError! / error).toBeCloseTo(1, 2);
      }
    }
  });

  it('without standard errors, if these are not asked for, finds the same values, none of them trusted', async () => {
    const usual = await estimate(motesProblem(noisy), { device });
    const options: EstimateOptions = { uncertainty: { standardErrors: false } };
    const found = await estimate(motesProblem(noisy, { options }), { device });
    for (const key of NAMES) {
      expect(found.parameters[key].estimate).toBe(usual.parameters[key].estimate);
      expect(found.parameters[key].standardError).toBeNull();
    }
    expect(found.verdict.trusted).toBe(false);
    expect(found.withoutErrors).toMatch(/standardErrors: true/);
  });

  it('returns predicted frames, whose mean squared difference from the observations is the loss', async () => {
    const { predicted, loss } = await estimate(motesProblem(noisy), { device });
    const squares = predicted['motes.seen'].reduce((sum, x, k) => sum + (x - noisy[k]) ** 2, 0);
    expect(squares / noisy.length).toBeCloseTo(loss, 10);
  });

  it('with a single horizon, keeps a history of losses that never increase, one entry per iteration', async () => {
    const lines: Iteration[] = [];
    const { history } = await estimate(motesProblem(noisy, { options: { search: { horizons: [1] } } }), {
      device,
      onIteration: (line) => lines.push(line),
    });
    expect(lines).toEqual(history);
    history.forEach((line, k) => {
      expect(line.iteration).toBe(k);
      expect(line.horizon).toBe(1);
      expect(Object.keys(line.parameters)).toEqual([...NAMES]);
      if (k > 0) expect(line.loss).toBeLessThanOrEqual(history[k - 1].loss);
      if (k > 0) expect(line.seconds).toBeGreaterThanOrEqual(history[k - 1].seconds);
    });
    expect(history[0].parameters.gravity).toBe(gravity.initial);
    expect(history[0].parameters.drag).toBeCloseTo(drag.initial, 12);
  });

  it('has the same history of losses with the same seed, and another one with another seed', async () => {
    const search = { starts: 3, scan: 40, hops: 1 };
    const run = async (seed: number) =>
      (await estimate(motesProblem(noisy, { options: { search: { ...search, seed } } }), { device })).history.map(
        ({ loss }) => loss,
      );
    const first = await run(1);
    expect(await run(1)).toEqual(first);
    expect(await run(2)).not.toEqual(first);
  });

  it('searches with horizons 0.25, 0.5 and 1 in turn, and finds the estimate of default options', async () => {
    const options = { search: { horizons: [0.25, 0.5, 1], starts: 2, scan: 24 } };
    const { history, parameters } = await estimate(motesProblem(noisy, { options }), { device });
    expect([...new Set(history.map((line) => line.horizon))]).toEqual([0.25, 0.5, 1]);
    const whole = (await estimate(motesProblem(noisy), { device })).parameters;
    for (const key of NAMES) expect(parameters[key].estimate).toBeCloseTo(whole[key].estimate, 4);
  });

  it.each([
    // With standard errors, starts of a later horizon are drawn and compared on few frames, in a simulation of their
    // own.
    { method: 'levenberg-marquardt', comparing: 2 },
    { method: 'l-bfgs', comparing: 0 },
  ] as const)(
    'compiles as many simulations for three horizons as for one, by levenberg-marquardt two more: $method',
    async ({ method, comparing }) => {
      const compiled = async (horizons: readonly number[]): Promise<number> => {
        let count = 0;
        const counting: Device = {
          ...device,
          createExecutor: (spec) => {
            count++;
            return device.createExecutor(spec);
          },
        };
        await estimate(motesProblem(noisy, { options: { search: { method, horizons } } }), { device: counting });
        return count;
      };
      expect(await compiled([0.25, 0.5, 1])).toBe((await compiled([1])) + comparing);
    },
  );

  it('finds an unknown of range [-50, 50] that the first of two horizons does not determine, from one start', async () => {
    // The floor is hit in the second half only: nothing before determines its place.
    const options = { search: { horizons: [0.04, 1], starts: 1, scan: 32 } };
    const [start, ...rest] = (
      await estimate(motesProblem(noisy, { options, parameters: [gravity, { ...vx, range: [-50, 50] }] }), {
        device,
      })
    ).history;
    expect(start.parameters.vx).toBe(vx.initial);
    expect(rest[rest.length - 1].parameters.vx).toBeCloseTo(TRUTH.vx, 1);
  });

  it('with `instants: 4`, finds the truth from frames that are each the mean of four simulated frames', async () => {
    // Each frame of the film is the mean of 4 frames of the simulation.
    const blurred = Float64Array.from({ length: clean.length / 4 }, (_, k) => {
      const [frame, value] = [Math.floor(k / 6), k % 6];
      return [0, 1, 2, 3].reduce((sum, i) => sum + clean[(frame * 4 + i) * 6 + value] / 4, 0);
    });
    const { parameters } = await estimate(motesProblem(blurred, { observation: { instants: 4 } }), {
      device,
    });
    for (const key of NAMES) expect(parameters[key].estimate).toBeCloseTo(TRUTH[key], 5);
  });

  for (const method of ['levenberg-marquardt', 'l-bfgs', 'adam'] as const) {
    it(`lies halfway between a prior and observations of equal standard error, with that error over sqrt(2): ${method}`, async () => {
      // Only vx is unknown and the observation is linear in it, with slopes s: precisions add, 1/error^2 = s.s/noise^2.
      const problem = (prior: { mean: number; standardDeviation: number }) =>
        motesProblem(noisy, {
          parameters: [{ ...vx, prior }],
          options: {
            search: { method, iterations: 2000, learningRate: 0.01, tolerance: 1e-12 },
            uncertainty: { standardErrors: true },
          },
        });
      const free = (await estimate(motesProblem(noisy, { parameters: [vx] }), { device })).parameters.vx;
      const [mean, standardDeviation] = [free.estimate + 3 * free.standardError!, free.standardError!];
      const {
        estimate: both,
        standardError,
        prior,
      } = (await estimate(problem({ mean, standardDeviation }), { device })).parameters.vx;
      expect(prior).toEqual({ mean, standardDeviation });
      // Equally sure: halfway, with an error smaller by the root of 2. The residual's variance is estimated, so roughly.
      expect((both - free.estimate) / (mean - free.estimate)).toBeCloseTo(0.5, 1);
      expect(standardError! / free.standardError!).toBeCloseTo(Math.SQRT1_2, 1);
    });
  }

  it('when interrupted, returns the last point of the history, with its loss over all frames', async () => {
    for (const method of ['levenberg-marquardt', 'l-bfgs', 'adam'] as const) {
      const controller = new AbortController();
      const { stopped, history, parameters, loss } = await estimate(
        motesProblem(noisy, { options: { search: { method, horizons: [0.5, 1], iterations: 1000, tolerance: 0 } } }),
        {
          device,
          signal: controller.signal,
          onIteration: ({ iteration }) => iteration === 2 && controller.abort(),
        },
      );
      expect(stopped).toBe('interrupted');
      const last = history[history.length - 1];
      // The result is over all frames, whichever horizon it was interrupted in.
      expect(last.horizon).toBe(1);
      expect(loss).toBe(last.loss);
      expect(parameters.gravity.estimate).toBe(last.parameters.gravity);
      expect(history.length).toBeLessThan(10);
    }
  });

  it('stops after the given number of iterations', async () => {
    const { stopped, history } = await estimate(motesProblem(noisy, { options: { search: { iterations: 2 } } }), {
      device,
    });
    expect(stopped).toBe('iterations');
    expect(history).toHaveLength(3);
  });

  it('with `scan: 200`, begins at a loss below a fifth of that of the initial values', async () => {
    const begin = async (options: EstimateOptions) =>
      (await estimate(motesProblem(clean, { options }), { device })).history[0].loss;
    expect(await begin({ search: { scan: 200 } })).toBeLessThan(0.2 * (await begin({ search: { horizons: [1] } })));
  });
});

describe('estimate refuses', () => {
  const refused = (rest: Parameters<typeof motesProblem>[1]) =>
    expect(estimate(motesProblem(clean, rest), { device })).rejects;
  it('a parameter of an unknown field', async () => {
    await refused({ parameters: [{ name: 'z', field: 'motes.weight', initial: 1 }] }).toThrowCode({
      code: 'core/unknown-field',
      field: 'motes.weight',
    });
  });
  it('targets with another number of frames than the run', async () => {
    await refused({ frames: RUN.frames - 1 }).toThrowCode({ code: 'optim/wrong-size', values: [144, 23, 138] });
  });
  it('horizons that do not ascend from above 0 to 1, or without observed frames', async () => {
    await refused({ options: { search: { horizons: [0.5, 0.25, 1] } } }).toThrowCode({
      code: 'optim/option-out-of-range',
      values: ['0.5, 0.25, 1'],
    });
    await refused({ options: { search: { horizons: [0.5] } } }).toThrowCode('optim/option-out-of-range');
    await refused({ options: { search: { horizons: [] } } }).toThrowCode({
      code: 'optim/option-out-of-range',
      values: ['[]'],
    });
    await refused({ options: { search: { horizons: [-0.5, 1] } } }).toThrowCode({
      code: 'optim/horizon-out-of-range',
      values: [1, -0.5],
    });
    await refused({ options: { search: { horizons: [0.5, 1] } }, observation: { frames: 'last' } }).toThrowCode({
      code: 'optim/horizon-without-frames',
      values: [0.5, 12, 24, 'motes.seen'],
    });
  });
  it('an unknown method, and starts, scan, hops or tolerance out of range', async () => {
    await refused({ options: { search: { method: 'newton' as 'adam' } } }).toThrowCode({
      code: 'optim/unknown-choice',
      values: ['"newton"', 'levenberg-marquardt, l-bfgs, adam, sgd'],
    });
    await refused({ options: { search: { starts: 0 } } }).toThrowCode({
      code: 'optim/option-out-of-range',
      values: ['`starts`', 0],
    });
    await refused({ options: { search: { starts: 1e9 } } }).toThrowCode({
      code: 'optim/option-out-of-range',
      values: ['`starts`', 1000000000],
    });
    await refused({ options: { search: { scan: 1e9 } } }).toThrowCode({
      code: 'optim/option-out-of-range',
      values: ['`scan`', 1000000000],
    });
    await refused({ options: { search: { hops: 1.5 } } }).toThrowCode({
      code: 'optim/option-out-of-range',
      values: ['`hops`', 1.5],
    });
    await refused({ options: { search: { tolerance: Number.NaN } } }).toThrowCode({
      code: 'optim/option-out-of-range',
      values: ['`tolerance`', 'NaN'],
    });
  });
});
