import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { f64Device } from '@gradsim/core';
import type { Estimate, WorkerProgress } from '@gradsim/optim';
import { EstimateError, estimate, estimateInWorker } from '@gradsim/optim';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawn } from '../../../../scripts/vitest/draws.ts';
import { describeWithAdapter } from '../../../kernel/test/webgpu-adapter.ts';
import { motesModel, motesProblem, seenBy } from '../motes.ts';
import type { Settings } from './problem.ts';

// Modules of workers as bundlers emit them, from source. They lie where the package webgpu is found.
const place = fileURLToPath(new URL('../../../../node_modules/.gradsim', import.meta.url));
mkdirSync(place, { recursive: true });
const folder = mkdtempSync(join(place, 'worker-'));
const module = (name: string): URL => pathToFileURL(join(folder, `${name}.js`));
beforeAll(async () => {
  const bundle = await rolldown({
    input: ['problem', 'nothing', 'twice'].map((name) => fileURLToPath(new URL(`./${name}.ts`, import.meta.url))),
    platform: 'node',
    resolve: { conditionNames: ['@gradsim/source', 'import', 'node'] },
  });
  await bundle.write({ dir: folder, format: 'esm' });
  await bundle.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (settings: Settings, rest: Parameters<typeof estimateInWorker>[1] = {}) =>
  estimateInWorker(module('problem'), { device: 'f64', settings, ...rest });
/** Copy of an estimate without durations, which differ from run to run. */
const timeless = ({ seconds: _, history, ...rest }: Estimate) => ({
  ...rest,
  history: history.map(({ seconds: __, ...line }) => line),
});

/** Options of tests with time limits: other programs on the machine may delay one attempt, but hardly three. */
const RACES = { retry: 2 };

type Timed = WorkerProgress & { readonly at: number };
/** Records progress reports with their times, and the longest time for which this thread itself was blocked. */
class Reporter {
  readonly reports: Timed[] = [];
  readonly began = performance.now();
  #last = this.began;
  #stall = 0;
  readonly #timer = setInterval(() => {
    this.#stall = Math.max(this.#stall, performance.now() - this.#last);
    this.#last = performance.now();
  }, 5);
  readonly onProgress = (progress: WorkerProgress): void =>
    void this.reports.push({ ...progress, at: performance.now() });

  /**
   * Longest interval between reports minus the longest blocking of this thread, ms.
   * @param of description of the run for the printed line.
   */
  longestGap(of: string): number {
    clearInterval(this.#timer);
    const gap = Math.max(...this.reports.map(({ at }, k) => at - (this.reports[k - 1]?.at ?? this.began)));
    console.log(
      `${this.reports.length} reports of ${of}, ${gap.toFixed(0)} ms apart at most, timers of 5 ms ${this.#stall.toFixed(0)}`,
    );
    return gap - this.#stall;
  }
}

describe('an estimation in a worker', () => {
  it('returns the same result as without a worker, except durations', async () => {
    const target = (await seenBy(motesModel())).map((x, k) => x + (k % 3) / 100);
    const options = { search: { starts: 2, hops: 1 } };
    const found = await run({ target, options });
    const expected = await estimate(motesProblem(target, { options }), { device: f64Device() });
    expect(timeless(found)).toEqual(timeless(expected));
  });

  it('accepts a function that creates a worker, and finds the truth', async () => {
    const target = await seenBy(motesModel());
    const make = () => new Worker(module('problem'));
    const found = await estimateInWorker(make, { device: 'f64', settings: { target } });
    expect(found.parameters.gravity.estimate).toBeCloseTo(-9.81, 5);
  });

  it('reports progress less than 2.5 s apart up to the last iteration, with the best values and the requested frames', async () => {
    const reporter = new Reporter();
    const { reports, onProgress } = reporter;
    const options = { search: { method: 'adam', iterations: 400, tolerance: 0, learningRate: 0.01 } } as const;
    const found = await run({ carts: 200, substeps: 40, options }, { frames: ['carts.position'], onProgress });
    expect(found.history).toHaveLength(401);
    expect(reports.length).toBeGreaterThan(5);
    expect(reporter.longestGap(`${found.history.length} iterations`)).toBeLessThan(2500);
    const iterated = reports.filter(({ iteration }) => iteration);
    for (const { best, iteration, of, stage } of iterated) {
      expect([of, stage]).toEqual([400, 'running']);
      expect(best!.stopped).toBe('interrupted');
      expect(best!.loss).toBe(iteration!.loss);
      expect(best!.history.at(-1)).toEqual(iteration);
      expect(best!.arrays.push.estimate).toHaveLength(5 * 200);
    }
    const last = reports.at(-1)!;
    expect(last.iteration).toEqual(found.history.at(-1));
    expect(last.best!.arrays.push.estimate).toEqual(found.arrays.push.estimate);
    expect(last.best!.history).toHaveLength(401);
    const shown = reports.filter(({ frames }) => 'carts.position' in frames);
    expect(shown.length).toBeGreaterThan(iterated.length / 2);
    expect(new Set(shown.map(({ frames }) => frames['carts.position'])).size).toBeGreaterThan(3);
    for (const { frames } of shown) expect(frames['carts.position']).toHaveLength(6 * 200);
  });

  it('stops on request, with the best point so far', RACES, async () => {
    const stop = new AbortController();
    let [told, reported] = [0, 0];
    const found = await run(
      // Each run takes more than a second in double precision.
      { carts: 3000, substeps: 1000, options: { search: { method: 'adam', iterations: 1000, tolerance: 0 } } },
      {
        signal: stop.signal,
        onProgress: ({ best }) => {
          if (!best || reported > 0) return;
          reported = best.loss;
          // By then the next run has begun.
          setTimeout(() => {
            told = performance.now();
            stop.abort();
          }, 300);
        },
      },
    );
    const waited = performance.now() - told;
    console.log(`ended ${waited.toFixed(0)} ms after it was told, in a run that takes more than a second`);
    expect(found.stopped).toBe('interrupted');
    expect(found.loss).toBe(reported);
    expect(found.history.at(-1)!.loss).toBe(reported);
    expect(found.arrays.push.estimate).toHaveLength(5 * 3000);
    expect(found.withoutErrors).toMatch(/had not come to its end/);
    expect(found.predicted).toEqual({});
  });

  it('reports all stages and long iterations, less than 2.5 s apart, with times', RACES, async () => {
    const reporter = new Reporter();
    const { reports, onProgress } = reporter;
    const stop = new AbortController();
    const found = await run(
      {
        carts: 3000,
        substeps: 400,
        making: { seconds: 0.6, by: 'waiting' },
        // So that an exact fit does not end it early.
        options: { search: { method: 'adam', iterations: 1000, tolerance: 0, learningRate: 1e-4 } },
      },
      {
        signal: stop.signal,
        onProgress: (progress) => {
          onProgress(progress);
          if (progress.iteration?.iteration === 2) stop.abort();
        },
      },
    );
    const [{ seconds: first }, , { seconds: last }] = found.history;
    const each = (last - first) / 2;
    expect(each).toBeGreaterThan(0.2);
    expect(reporter.longestGap(`iterations of ${(1000 * each).toFixed(0)} ms`)).toBeLessThan(2500);
    expect([...new Set(reports.map(({ stage }) => stage))]).toEqual([
      ...['loading', 'building', 'compiling', 'running'],
    ]);
    for (const { stage, building } of reports)
      if (stage !== 'loading' && building) expect(building).toEqual({ step: 'resting', fraction: 0.5 });
    expect(reports.at(-1)!.building).not.toBeNull();
    // The problem was built by waiting, which leaves the worker free to report;
    const silent = Math.max(...reports.filter(({ stage }) => stage === 'building').map((r) => r.silent));
    expect(silent).toBeLessThan(3);
    expect(Math.max(...reports.map(({ waited }) => waited))).toBeGreaterThan(each / 2);
    reports.slice(1).forEach(({ seconds, waited, iteration }, k) => {
      expect(seconds).toBeGreaterThan(reports[k].seconds);
      if (iteration && iteration === reports[k].iteration)
        expect(waited - reports[k].waited).toBeCloseTo(seconds - reports[k].seconds, 6);
    });
  });

  it("reports more than 0.5 s without news while the worker's thread is blocked for 0.8 s", async () => {
    const reporter = new Reporter();
    const { reports, onProgress } = reporter;
    await run({ making: { seconds: 0.8, by: 'computing' }, options: { search: { iterations: 1 } } }, { onProgress });
    reporter.longestGap('a problem that takes 800 ms');
    const building = reports.filter(({ stage }) => stage === 'building');
    expect(building.length).toBeGreaterThan(2);
    expect(building.at(-1)!.silent).toBeGreaterThan(0.5);
    expect(reports.at(-1)!.silent).toBeLessThan(building.at(-1)!.silent);
  });

  it('has the same result with 1 and 2 threads of the device cpu, and can be interrupted', RACES, async () => {
    const target = (await seenBy(motesModel())).map((x, k) => x + (k % 3) / 100);
    const one = await run({ target }, { device: 'cpu', threads: 1 });
    const two = await run({ target }, { device: 'cpu', threads: 2 });
    expect(two.device).toMatch(/2 threads$/);
    expect(one.device).toMatch(/1 thread$/);
    expect({ ...timeless(two), device: '' }).toEqual({ ...timeless(one), device: '' });
    const search = { method: 'adam', iterations: 1, tolerance: 0, learningRate: 1e-4 } as const;
    const large = { carts: 8000, substeps: 10, options: { search } };
    const [alone, shared] = [
      await run(large, { device: 'cpu', threads: 1 }),
      await run(large, { device: 'cpu', threads: 2 }),
    ];
    expect(shared.device).toMatch(/2 threads$/);
    expect(shared.arrays.push.estimate).toEqual(alone.arrays.push.estimate);
    const stop = new AbortController();
    let told = 0;
    const found = await run(
      { ...large, options: { search: { ...search, iterations: 1000 } } },
      {
        device: 'cpu',
        threads: 2,
        signal: stop.signal,
        onProgress: ({ best }) => {
          if (!best || told > 0) return;
          told++;
          stop.abort();
        },
      },
    );
    expect(found.stopped).toBe('interrupted');
  });

  it('is rejected with the reason if it is aborted before there is a result', async () => {
    const stop = new AbortController();
    const going = run({ carts: 3000, substeps: 400 }, { signal: stop.signal });
    setTimeout(() => stop.abort(new Error('changed my mind')), 50);
    await expect(going).rejects.toThrow('changed my mind');
    await expect(run({}, { signal: stop.signal })).rejects.toThrow('changed my mind');
  });
});

describeWithAdapter('an estimation in a worker on webgpu', () => {
  const plan = {
    carts: 50,
    options: { search: { method: 'adam', iterations: 1000, tolerance: 0, learningRate: 1e-4 } },
  } as const;

  // GPU work of a Node thread aborts this process if it is not ended before the thread.
  it('can be ended 50 to 800 ms after its start, without later reports; another then works', RACES, async () => {
    for (const after of drawn([50, 400, 500, 600, 700, 800], 2)) {
      const stop = new AbortController();
      setTimeout(() => stop.abort(new Error('too early')), after);
      let [isOver, late] = [false, 0];
      const onProgress = (): void => void (isOver && late++);
      const outcome = await run(plan, { device: 'webgpu', signal: stop.signal, onProgress }).catch(
        (error) => error.message,
      );
      isOver = true;
      await new Promise((resolve) => setTimeout(resolve, 150));
      expect(late).toBe(0);
      expect(outcome.stopped ?? outcome).toMatch(/^(interrupted|too early)$/);
    }
    const { device, stopped } = await run(
      { carts: 50, options: { search: { method: 'adam', iterations: 3 } } },
      { device: 'webgpu' },
    );
    expect([device, stopped]).toEqual([expect.stringMatching(/^webgpu: /), 'iterations']);
  });
});

describe('a failure in a worker', () => {
  const failed = async (settings: Settings): Promise<EstimateError> => {
    const error = await run(settings).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(EstimateError);
    return error as EstimateError;
  };
  it('in a loss is the error of the estimation, with its cause and the best so far', async () => {
    const { message, cause, best } = await failed({ mishap: 'throws' });
    expect(message).toBe('the tripod fell');
    expect((cause as Error).message).toBe('the tripod fell');
    expect(((cause as Error).cause as Error).message).toBe('wind');
    expect((cause as Error).stack).toMatch(/problem/);
    expect(best.loss).toBe(1 / 2);
    expect(best.history).toHaveLength(2);
    expect(Object.keys(best.parameters)).toEqual(['gravity', 'drag', 'vx']);
  });
  it('that terminates the worker reports the exit code or the uncaught error, and the best so far', async () => {
    const exited = await failed({ mishap: 'exits' });
    expect(exited.message).toBe('The worker ended, with the exit code 7.');
    expect(exited.best.loss).toBe(1 / 2);
    const thrown = await failed({ mishap: 'throws later' });
    expect(thrown.message).toBe('The worker died: nobody caught this.');
    expect((thrown.cause as Error).message).toBe('nobody caught this');
    expect(thrown.best.loss).toBe(1 / 2);
  });
  it('in the progress handler is the error of the estimation', async () => {
    const target = await seenBy(motesModel());
    const going = run({ target }, { onProgress: () => expect.fail('cannot draw') });
    await expect(going).rejects.toThrow('cannot draw');
  });
  it('that is an endless loop can still be ended, with the best so far', RACES, async () => {
    const stop = new AbortController();
    // It hangs from its third evaluation on.
    const onProgress = ({ best }: WorkerProgress): void => void (best?.loss === 1 / 2 && stop.abort());
    const found = await run({ mishap: 'hangs' }, { signal: stop.signal, onProgress });
    expect(found.loss).toBe(1 / 2);
  });
  it('before the first iteration has its own code: for a wrong target, module, settings, frames or device', async () => {
    await expect(run({ target: new Float64Array(3) })).rejects.toThrowCode({
      code: 'optim/wrong-size',
      field: 'motes.seen',
      values: [3],
    });
    await expect(estimateInWorker(module('nothing'))).rejects.toThrowCode({
      code: 'optim/worker-ended',
      values: ['`defineProblem`', 0],
    });
    await expect(estimateInWorker(module('nowhere'))).rejects.toThrowCode('optim/worker-ended');
    await expect(
      estimateInWorker(module('problem'), { settings: { target: [1], film: { by: [1, () => 1] } } }),
    ).rejects.toThrowCode({ code: 'optim/not-cloneable', values: ['settings.film.by.1, a function', 'Hand'] });
    await expect(estimateInWorker(module('problem'), { settings: { model: motesModel() } })).rejects.toThrowCode({
      code: 'optim/not-cloneable',
      values: ['settings.model, a Model'],
    });
    await expect(estimateInWorker(module('twice'))).rejects.toThrowCode({
      code: 'optim/two-problems',
      values: ['`defineProblem`', 2],
    });
    await expect(run({}, { frames: ['carts.speed'] })).rejects.toThrowCode({
      code: 'optim/unseen-frames',
      values: ['`frames`', 'carts.speed', 'carts.position'],
    });
    await expect(estimateInWorker(module('problem'), { device: 'abacus' as 'cpu', settings: {} })).rejects.toThrowCode({
      code: 'kernel/unknown-device',
      values: ['"abacus"'],
    });
  });
});

it('a problem module for workers can be used without a worker, too', async () => {
  const { default: make } = await import('./problem.ts');
  const target = await seenBy(motesModel());
  const device = f64Device();
  const found = await estimate(await make({ settings: { target }, device }), { device });
  expect(found.parameters.gravity.estimate).toBeCloseTo(-9.81, 5);
});
