import { GradsimError } from '@gradsim/core';
import type { Limits } from './messages.ts';
import { mayDiffer, type Outcome } from './outcome.ts';
import type { StudySource } from './source.ts';
import type { Trial } from './trial.ts';
import { EndedEarly, TrialProcess } from './trial-process.ts';
import type { TrialQueue } from './trial-queue.ts';

/** Options of a pool of trial processes. */
export interface PoolOptions {
  readonly source: StudySource;
  /** Version of the code in the trials' ids; a process that loads another one is refused. */
  readonly code: string;
  readonly out: string;
  readonly device: string;
  readonly limits: Limits;
  readonly workers: number;
  /** Maximum number of attempts at a trial whose process ends. */
  readonly attempts: number;
}

/** Number of finished entries at the head of a queue after which their memory is freed. */
const FORGOTTEN = 1024;

/** Maximum number of consecutive processes that end before they have loaded the study. */
const MAX_FAILED_STARTS = 20;

/** In-memory queue of trials for child processes of this one. */
export function processPool(options: PoolOptions): TrialQueue {
  const known = new Set<string>();
  const waiting: Trial[] = [];
  const done: Outcome[] = [];
  const processes = new Set<TrialProcess>();
  let running = 0;
  let next = 0;
  let isDrained = false;
  let isClosed = false;
  let failure: Error | undefined;
  let wake = (): void => {};
  const changed = (): void => wake();

  const begin = async (): Promise<TrialProcess> => {
    for (let attempt = 1; ; attempt++) {
      const begun = new TrialProcess(options);
      processes.add(begun);
      void begun.ended.then(() => processes.delete(begun));
      try {
        if ((await begun.loaded) === options.code) return begun;
      } catch (error) {
        if (error instanceof EndedEarly && attempt < MAX_FAILED_STARTS && !isClosed) continue;
        throw error;
      }
      begun.end();
      throw new GradsimError(
        'gradsim/study-changed',
        'The study, or a module or package of it, has changed since it was loaded. Start the command again.',
      );
    }
  };

  const work = async (): Promise<void> => {
    let process: TrialProcess | undefined;
    while (next < waiting.length && !isDrained && !isClosed) {
      const trial = waiting[next++];
      for (let attempt = 1; ; attempt++) {
        if (process?.isOver) process.end();
        if (!process || process.isOver) process = await begin();
        const ended = await process.run(trial, attempt);
        if (isClosed) break;
        if (attempt < options.attempts && mayDiffer(ended)) continue;
        done.push({ ...trial, attempts: attempt, ended });
        changed();
        break;
      }
      if (next === FORGOTTEN) {
        waiting.splice(0, next);
        next = 0;
      }
    }
    process?.end();
  };

  const fill = (): void => {
    for (; running < options.workers && next < waiting.length && !isDrained; running++)
      void work()
        .catch((error: Error) => {
          failure ??= error;
        })
        .finally(() => {
          running--;
          changed();
        });
  };

  const endAll = (): void => {
    for (const each of processes) each.end();
  };
  process.on('exit', endAll);

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
        if (isClosed || (isDrained && running === 0 && done.length === 0)) return;
        if (done.length > 0 || failure) continue;
        await new Promise<void>((settle) => {
          wake = settle;
        });
      }
    },
    drain: () => {
      isDrained = true;
      changed();
    },
    close: async () => {
      isClosed = true;
      changed();
      endAll();
      await Promise.all([...processes].map(({ ended }) => ended));
      process.off('exit', endAll);
    },
  };
}
