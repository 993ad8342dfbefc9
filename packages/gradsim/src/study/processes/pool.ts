import { mayDiffer, type Outcome } from '../results/outcome.ts';
import { removeDrafts, type Trial } from '../trial.ts';
import type { TrialQueue } from '../trial-queue.ts';
import type { TrialConditions } from './messages.ts';
import { type RunnerOptions, TrialRunner } from './runner.ts';

/** Options of a pool of trial processes. */
export interface PoolOptions extends RunnerOptions {
  readonly workers: number;
  /** Maximum number of attempts at a trial whose process ends before the trial does. */
  readonly attempts: number;
  readonly conditions: TrialConditions;
}

/** Number of finished entries at the head of a queue above which their memory is freed. */
const MAX_FINISHED_HEAD = 1024;

/** In-memory queue whose trials run in child processes of this process, which alone uses the folder of the study. */
export function processPool(options: PoolOptions): TrialQueue {
  const known = new Set<string>();
  const waiting: Trial[] = [];
  const done: Outcome[] = [];
  const runners = new Set<TrialRunner>();
  let next = 0;
  let isDrained = false;
  let isClosed = false;
  let failure: Error | undefined;
  let wake = (): void => {};
  const changed = (): void => wake();

  const work = async (runner: TrialRunner): Promise<void> => {
    while (next < waiting.length && !isDrained && !isClosed) {
      const trial = waiting[next++];
      for (let attempt = 1; ; attempt++) {
        const ended = await runner.run(trial, attempt, options.conditions);
        if (isClosed) break;
        if (attempt < options.attempts && mayDiffer(ended)) continue;
        done.push({ ...trial, attempts: attempt, ended });
        changed();
        break;
      }
      if (next === MAX_FINISHED_HEAD) {
        waiting.splice(0, next);
        next = 0;
      }
    }
  };

  const begin = async (): Promise<void> => {
    const runner = new TrialRunner(options);
    runners.add(runner);
    try {
      await work(runner);
    } catch (error) {
      failure ??= error as Error;
    }
    await runner.end();
    runners.delete(runner);
    changed();
  };

  const fill = (): void => {
    while (runners.size < options.workers && next < waiting.length && !isDrained) void begin();
  };

  const endAll = (): unknown => Promise.all([...runners].map((runner) => runner.end()));
  process.on('exit', endAll);
  const removeAllDrafts = (): void => removeDrafts(options.out, () => true);
  removeAllDrafts();

  return {
    add: async (trials) => {
      const added = trials.filter(({ id }) => !known.has(id));
      for (const { id } of added) known.add(id);
      for (const trial of added) waiting.push(trial);
      fill();
    },
    outcomes: async function* () {
      for (;;) {
        if (failure) throw failure;
        yield* done.splice(0);
        if (isClosed || (isDrained && runners.size === 0 && done.length === 0)) return;
        if (done.length > 0 || failure) continue;
        await new Promise<void>((settle) => {
          wake = settle;
        });
      }
    },
    release: () => {},
    drain: () => {
      isDrained = true;
      changed();
    },
    close: async () => {
      isClosed = true;
      changed();
      await endAll();
      process.off('exit', endAll);
      removeAllDrafts();
    },
  };
}
