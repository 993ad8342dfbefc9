import type { DeviceName, FieldKey, StopSignal } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import { pause } from '@gradsim/core/internal';
import { keyOf } from '../problem/field-key.ts';
import type { Estimate } from '../result.ts';
import { EstimateError } from '../result.ts';
import type { WorkerEntry } from './entry.ts';
import { errorOf } from './failure.ts';
import { awaitLock, newLock } from './lock.ts';
import type { Order, Report } from './messages.ts';
import { tagged, untagged } from './messages.ts';
import type { WorkerProgress } from './progress-log.ts';
import { ProgressLog } from './progress-log.ts';
import type { Thread } from './thread.ts';
import { startThread } from './thread.ts';
import { uncloneable } from './uncloneable.ts';

export interface WorkerOptions {
  /**
   * Settings for the problem's function: numbers, texts, typed arrays, and plain objects and arrays of these. No
   * functions.
   */
  readonly settings?: unknown;
  /** Device that the worker opens. Default `auto`. */
  readonly device?: DeviceName;
  /** Number of threads that the devices `cpu` and `f64` use, including the worker's own. */
  readonly threads?: number;
  /** URL of the file that those threads run in a page, see `cpuDevice`. */
  readonly workerUrl?: string;
  /** AbortSignal that ends the estimation within 0.1 s, even if the worker is busy; the result is the best so far. */
  readonly signal?: StopSignal;
  /**
   * Called with the progress at intervals of 50 to 200 ms from the start of the worker. In a hidden tab it is called
   * only after iterations and once a second.
   */
  readonly onProgress?: (progress: WorkerProgress) => void;
  /** Recorded fields whose frames are sent with the progress, for example `['pixels.rgba']`. */
  readonly frames?: readonly FieldKey[];
}

const MUST_CALL = 'Its module has to call `defineProblem`';
/** Time that a worker has for releasing a GPU when it is asked to end, ms. */
const END_TIMEOUT = 10_000;
/** Time limit for loading a module and its imports, ms. */
const LOAD_TIMEOUT = 60_000;

/**
 * Runs an estimation in a worker, from a module that calls {@link defineProblem}, so that a page stays responsive and a
 * hidden tab runs at full speed; reports progress and returns the result. In Node it is a worker thread.
 *
 * ```ts
 * import { estimateInWorker } from '@gradsim/optim';
 *
 * const stop = new AbortController();
 * const found = await estimateInWorker(new URL('./problem.js', import.meta.url), {
 *   settings: { target },
 *   signal: stop.signal,
 *   onProgress: ({ seconds, best }) => console.log(seconds, best?.loss, best?.parameters.vx.estimate),
 * });
 * ```
 * Bundlers recognise the module of a worker by the expression that creates it: in a bundled page, pass `() => new
 * Worker(new URL('./problem.js', import.meta.url), { type: 'module' })` instead.
 *
 * After an abort the result is the best so far, with `stopped: 'interrupted'`, without standard errors and predicted
 * frames.
 *
 * @throws errors of the problem or its estimation in the worker, or of the worker's unexpected end: an
 * {@link EstimateError} with the best so far, if there is one. If aborted before there is one, the signal's reason.
 * Before anything runs: for settings that cannot be sent to a worker, and for frames of fields that are not recorded.
 */
export async function estimateInWorker(entry: WorkerEntry, options: WorkerOptions = {}): Promise<Estimate> {
  const { signal } = options;
  signal?.throwIfAborted();
  const run = new WorkerRun(options);
  const onAbort = (): void => void run.interrupt(signal!.reason);
  signal?.addEventListener('abort', onAbort);
  try {
    run.start(entry);
    return await run.result;
  } finally {
    signal?.removeEventListener('abort', onAbort);
    run.end();
  }
}

/** An estimation in a worker, as seen from the thread that started it. */
class WorkerRun {
  readonly result: Promise<Estimate>;
  #resolve!: (found: Estimate) => void;
  #reject!: (reason: unknown) => void;
  readonly #options: WorkerOptions;
  readonly #log: ProgressLog;
  readonly #lock = newLock();
  #thread: Thread | undefined;
  #isReady = false;
  /** True if the worker may be using a GPU, so that it needs time to release it. */
  #isGpu: boolean;
  /** True once the result is known, even if the worker is still ending. */
  #isOver = false;
  #hasEnded = false;
  #ending: ReturnType<typeof setTimeout> | undefined;
  #loading: ReturnType<typeof setTimeout> | undefined;
  #stopWaiting = (): void => {};

  constructor(options: WorkerOptions) {
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#options = options;
    this.#isGpu = options.device !== 'cpu' && options.device !== 'f64';
    this.#log = new ProgressLog(options.onProgress, (error) => this.#fail(error));
  }

  start(entry: WorkerEntry): void {
    this.#loading = setTimeout(() => this.#die(`does not answer. ${MUST_CALL}`), LOAD_TIMEOUT);
    this.#thread = startThread(entry, {
      onMessage: (message) => {
        const report = untagged(message) as Report | undefined;
        if (report) this.#take(report);
      },
      onEnd: (how) => this.#die(`ended${how}${this.#isReady ? '' : `. ${MUST_CALL}`}`),
      onDeath: (what, cause) => this.#die(what, cause),
    });
  }

  #take(report: Report): void {
    if (this.#isOver) return;
    switch (report.kind) {
      case 'ready':
        this.#isReady = true;
        clearTimeout(this.#loading);
        this.#order();
        break;
      case 'held':
        // Messages sent before are handled first.
        this.#stopWaiting = awaitLock(this.#lock!, () => pause().then(() => this.#die('ended')));
        break;
      case 'opened':
        this.#isGpu = report.device === 'webgpu';
        break;
      case 'alive':
        this.#log.hear(report.stage);
        break;
      case 'building':
        this.#log.build(report.building);
        break;
      case 'progress':
        this.#log.take(report);
        break;
      case 'done':
        this.#log.reportRest();
        this.#resolve(report.estimate);
        break;
      case 'failed':
        this.#fail(errorOf(report.failure));
    }
  }

  #order(): void {
    const { settings, device = 'auto', threads, workerUrl, frames = [] } = this.#options;
    const lock = this.#thread!.isOfPage ? this.#lock : undefined;
    const task = { settings, device, threads, workerUrl, frames: frames.map(keyOf), lock };
    try {
      this.#send({ kind: 'run', task });
    } catch (cause) {
      const what = uncloneable(settings, 'settings');
      const advice =
        "Hand over numbers, texts, typed arrays and plain objects, and make the rest in the worker's module.";
      this.#reject(
        what ? new GradsimError('optim/not-cloneable', `${what} cannot go to a worker. ${advice}`, { cause }) : cause,
      );
    }
  }

  /** Ends the estimation with the best result reported so far, without waiting for the worker. */
  async interrupt(reason: unknown): Promise<void> {
    await pause();
    const { best } = this.#log;
    if (best) this.#resolve(best);
    else this.#reject(reason);
  }

  #fail(error: unknown): void {
    const { best } = this.#log;
    const message = error instanceof Error ? error.message : String(error);
    this.#reject(best ? new EstimateError(message, best, error) : error);
  }

  #die(what: string, cause?: unknown): void {
    const why = cause instanceof Error ? `: ${cause.message.replace(/\.$/, '')}` : '';
    const message = `The worker ${what}${why}.`;
    const { best } = this.#log;
    this.#reject(
      best ? new EstimateError(message, best, cause) : new GradsimError('optim/worker-ended', message, { cause }),
    );
    this.#finish();
  }

  #send(order: Order): void {
    this.#thread?.post(tagged(order));
  }

  #finish(): void {
    this.#hasEnded = true;
    clearTimeout(this.#ending);
    this.#thread?.end();
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#loading);
    this.#stopWaiting();
    this.#log.end();
    if (this.#hasEnded) return;
    if (this.#isReady && this.#isGpu && this.#thread?.isOfPage === false) {
      // GPU work of a Node thread has to end before the thread, or the process is aborted.
      this.#send({ kind: 'end' });
      this.#ending = setTimeout(() => this.#finish(), END_TIMEOUT);
    } else this.#finish();
  }
}
