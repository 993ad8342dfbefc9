import type { StopSignal } from '@gradsim/base';
import { type Port, startThread, type ThreadModule } from './start.ts';

/** Job that is sent to the second thread, by its number, and its result; `isDone` is false if it failed there. */
export interface SentJob<Job> {
  readonly number: number;
  readonly job: Job;
}
export interface ReturnedJob<Done> {
  readonly number: number;
  readonly done: Done;
  readonly isDone: boolean;
}

/** Number of jobs that the second thread has at a time: one that it does, and the next. */
const AHEAD = 2;

/**
 * Does jobs of some milliseconds on this thread and on a second one, which take turns as they become free. A job has the same result
 * on both. Where a second thread cannot be had, or fails, this one does all.
 */
export class TwoThreads<Job, Done> {
  readonly #module: ThreadModule;
  readonly #context: unknown;
  readonly #here: (job: Job) => Done;
  #second: Port | undefined;
  #isTried = false;
  /** True once the second thread takes jobs. */
  #isReady = false;
  #onMessage: (returned: ReturnedJob<Done> | undefined) => void = () => {};

  /**
   * @param module that of the second thread: it answers the first message, `context`, when it takes jobs.
   * @param here does a job on this thread.
   */
  constructor(module: ThreadModule, context: unknown, here: (job: Job) => Done) {
    this.#module = module;
    this.#context = context;
    this.#here = here;
  }

  /**
   * Results of jobs, in their order.
   *
   * @param jobs each makes its job when it is begun.
   * @throws what the first job that fails throws, and the signal's reason when that is aborted.
   */
  async map(jobs: readonly (() => Job)[], signal?: StopSignal): Promise<Done[]> {
    if (jobs.length > 1) this.#start();
    const results = new Array<Done>(jobs.length);
    const sent = new Set<number>();
    let next = 0;
    let wake = (): void => {};
    const send = (): void => {
      while (this.#second && this.#isReady && sent.size < AHEAD && next < jobs.length) {
        const number = next++;
        sent.add(number);
        this.#second.post({ number, job: jobs[number]() } satisfies SentJob<Job>);
      }
    };
    const doHere = (number: number): void => {
      results[number] = this.#here(jobs[number]());
    };
    this.#onMessage = (returned) => {
      if (returned?.isDone) {
        results[returned.number] = returned.done;
        sent.delete(returned.number);
      }
      // A job that failed there fails here, too, where its error reaches the caller.
      else if (returned) this.end();
      send();
      wake();
    };
    send();
    while (next < jobs.length) {
      doHere(next++);
      // Messages arrive between jobs.
      await new Promise<void>(soon);
      signal?.throwIfAborted();
    }
    while (this.#second && sent.size > 0)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    for (const number of sent) doHere(number);
    return results;
  }

  #start(): void {
    if (this.#isTried) return;
    this.#isTried = true;
    this.#second = startThread(this.#module, {
      onMessage: (message) => {
        this.#isReady = true;
        this.#onMessage(message as ReturnedJob<Done> | undefined);
      },
      onFailure: () => {
        this.end();
        this.#onMessage(undefined);
      },
    });
    this.#second?.post(this.#context);
  }

  /** Ends the second thread; afterwards this one does all jobs. */
  end(): void {
    this.#second?.end();
    this.#second = undefined;
  }
}

const soon = (call: () => void): void => {
  const { setImmediate: now } = globalThis as { setImmediate?: (call: () => void) => void };
  if (now) now(call);
  else setTimeout(call, 0);
};
