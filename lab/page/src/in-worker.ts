// What a page learns from estimates in a worker: how they go, how lively the page stays, how they end; posted to where the
// page came from.
import type { Estimate, WorkerEntry, WorkerOptions } from '@gradsim/optim';
import { EstimateError, estimateInWorker } from '@gradsim/optim';
import type { Bits } from './bits.ts';
import { bitsOf } from './bits.ts';
import type { ThrowSettings } from './problem.ts';
import { TimerGaps, watchLiveness } from './watch.ts';

/** Record of one estimation in a worker: its result or error, and how progress and the page's responsiveness went. */
export interface Course {
  readonly estimate?: Bits;
  readonly device?: string;
  readonly stopped?: string;
  readonly iterations?: number;
  /** Duration of the estimation, measured in the worker, s. */
  readonly seconds?: number;
  readonly error?: string;
  readonly cause?: string;
  /** Number of iterations of the best intermediate estimate, if the error has one. */
  readonly kept?: number;
  readonly stages: readonly string[];
  readonly progress: Longest;
  readonly timers: Longest;
  readonly pictures: Longest;
  /** Number of distinct intermediate frames received, and the number of values of the last one (`values`). */
  readonly frames: number;
  readonly values: number;
  /** Time from the abort signal until the estimation ended, s. */
  readonly stopTime?: number;
  readonly wasHidden: boolean;
}
interface Longest {
  readonly longest: number;
  readonly count: number;
}

export interface WorkerReport {
  readonly courses: Readonly<Record<string, Course>>;
  /** Messages of uncaught errors in the page. */
  readonly uncaught: readonly string[];
}

type Plan = ThrowSettings &
  Pick<WorkerOptions, 'device' | 'threads' | 'workerUrl'> & {
    /** Number of the iteration during the one after which the estimation is aborted. */
    readonly stopAfter?: number;
    readonly entry?: string;
  };

const problem: WorkerEntry = () => new Worker(new URL('./problem.js', import.meta.url), { type: 'module' });

const resultOf = ({ parameters, device, stopped, history, seconds }: Estimate): Partial<Course> => ({
  estimate: Object.fromEntries(Object.entries(parameters).map(([name, { estimate }]) => [name, bitsOf([estimate])])),
  device,
  stopped,
  iterations: history.length,
  seconds: seconds.run,
});

function errorOf(error: unknown): Partial<Course> {
  const { message, cause } = error as Error;
  return {
    error: message,
    cause: cause instanceof Error ? cause.message : undefined,
    kept: error instanceof EstimateError ? error.best.history.length : undefined,
  };
}

async function course({ device, threads, workerUrl, stopAfter, entry, ...settings }: Plan): Promise<Course> {
  const stop = new AbortController();
  const alive = watchLiveness();
  const progress = new TimerGaps();
  const stages = new Set<string>();
  const frames = new Set<Float64Array>();
  let [toldAt, values] = [0, 0];
  const outcome = await estimateInWorker(entry ?? problem, {
    settings,
    device,
    threads,
    workerUrl,
    signal: stop.signal,
    frames: ['particles.position'],
    onProgress: (now) => {
      progress.mark();
      stages.add(now.stage);
      const shown = now.frames['particles.position'];
      if (shown) frames.add(shown);
      values = shown?.length ?? 0;
      if (stopAfter === undefined || now.iteration?.iteration !== stopAfter || toldAt > 0) return;
      toldAt = Number.POSITIVE_INFINITY;
      setTimeout(() => {
        toldAt = performance.now();
        stop.abort();
      }, 50);
    },
  }).then(resultOf, errorOf);
  const stopTime = toldAt > 0 ? performance.now() - toldAt : undefined;
  alive.end();
  const longest = ({ longest, count }: TimerGaps): Longest => ({ longest, count });
  return {
    ...outcome,
    stages: [...stages],
    frames: frames.size,
    values,
    stopTime,
    progress: longest(progress),
    timers: longest(alive.timers),
    pictures: longest(alive.pictures),
    wasHidden: document.visibilityState === 'hidden',
  };
}

const uncaught: string[] = [];
addEventListener('error', ({ message }) => uncaught.push(message));
addEventListener('unhandledrejection', ({ reason }) => uncaught.push(String(reason)));

/** Makes the browser show another page, and waits until this one is hidden. */
async function hidePage(): Promise<void> {
  await fetch('/hide', { method: 'POST' });
  while (document.visibilityState !== 'hidden') await new Promise((resolve) => setTimeout(resolve, 20));
}

async function main(): Promise<void> {
  const { content } = document.querySelector<HTMLMetaElement>('meta[name=plans]')!;
  const plans = JSON.parse(content) as Record<string, Plan>;
  const courses: Record<string, Course> = {};
  for (const [name, plan] of Object.entries(plans)) {
    if (name === 'hidden') await hidePage();
    courses[name] = await course(plan);
  }
  const report: WorkerReport = { courses, uncaught };
  await fetch('/report', { method: 'POST', body: JSON.stringify(report) });
}
void main();
