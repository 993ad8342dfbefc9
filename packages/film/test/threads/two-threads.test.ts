import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TwoThreads } from '../../src/threads/two-threads.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradsim-threads-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Threads whose second one runs a module; this one squares numbers, some 5 ms each. */
function threadsWith(name: string, code: string): TwoThreads<number, string> {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, code);
  const here = (job: number): string => {
    const end = performance.now() + 5;
    while (performance.now() < end);
    if (job === 13) throw new RangeError('thirteen');
    return `here ${job ** 2}`;
  };
  return new TwoThreads({ address: () => pathToFileURL(file), startInPage: () => ({}) as Worker }, 'context', here);
}

const HEAD = `import { parentPort } from 'node:worker_threads'; let isTold = false;
parentPort.on('message', (message) => { if (!isTold) { isTold = true; parentPort.postMessage(undefined); return; }
const { number, job } = message;`;
const SQUARES = `${HEAD} const isDone = job !== 13; parentPort.postMessage({ number, done: isDone ? 'there ' + job ** 2 : undefined, isDone }); });`;

/** Long enough for a second thread to start on a busy machine. */
const NUMBERS = Array.from({ length: 400 }, (_, k) => k + 100);
const squares = (results: readonly string[]): number[] => results.map((text) => Number(text.split(' ')[1]));
const jobs = NUMBERS.map((n) => () => n);
const expected = NUMBERS.map((n) => n ** 2);

describe('jobs on two threads', () => {
  it('are done in their order, by both where there are two cores', async () => {
    const threads = threadsWith('squares', SQUARES);
    const results = await threads.map(jobs);
    const again = await threads.map(jobs.slice(0, 3));
    threads.end();
    expect(squares(results)).toEqual(expected);
    expect(squares(again)).toEqual(expected.slice(0, 3));
    const there = results.filter((text) => text.startsWith('there')).length;
    console.info(`${there} of ${results.length} jobs were done by the second thread`);
    if (availableParallelism() > 1) expect(there).toBeGreaterThan(0);
  });

  it.each([
    ['cannot be loaded', 'syntax error'],
    ['crashes in a job', `${HEAD} throw new Error('crashed'); });`],
    ['ends in a job', `${HEAD} process.exit(0); });`],
  ])('are all done here where the second thread %s', async (name, code) => {
    const threads = threadsWith(name.replaceAll(' ', '-'), code);
    const results = await threads.map(jobs.slice(0, 100));
    threads.end();
    expect(squares(results)).toEqual(expected.slice(0, 100));
  });

  it('throw here what fails, wherever it does', async () => {
    const threads = threadsWith('fails', SQUARES);
    const failing = [...jobs.slice(0, 50), () => 13, ...jobs.slice(50)];
    await expect(threads.map(failing)).rejects.toThrow(new RangeError('thirteen'));
    threads.end();
  });

  it('stop when the signal is aborted', async () => {
    const threads = threadsWith('stops', SQUARES);
    const stop = new AbortController();
    const stopper = (): number => {
      stop.abort(new Error('enough'));
      return 1;
    };
    const stopping = [...jobs.slice(0, 5), stopper, ...jobs];
    await expect(threads.map(stopping, stop.signal)).rejects.toThrow('enough');
    threads.end();
  });
});
