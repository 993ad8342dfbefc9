import { describeValue, GradsimError } from '@gradsim/base';
import { isNode } from '../is-node.ts';
import type { Memories } from './memories.ts';
import type { PageWorkers } from './page-workers.ts';
import { pageWorkers } from './page-workers.ts';
import { availableThreads } from './thread-source.ts';
import type { Workers } from './workers.ts';

/** Maximum number of threads. */
const MAX_THREADS = 32;
/** Maximum number of threads by default; more gain little on kernels of this size. */
const USUAL_THREADS = 8;

export interface TeamOptions {
  readonly threads?: number;
  readonly workerUrl?: string;
}

/** Threads of a device. Workers start when a model first needs them. */
export class Team {
  /** True if workers start as soon as a model is compiled, instead of when it has run for a while. */
  readonly startsAtOnce: boolean;
  /** Resolves once the number of threads is known. */
  readonly ready: Promise<void>;
  readonly #planned: number;
  readonly #page: PageWorkers | null;
  /** Reason why this process cannot start workers; null if it can, or if only one thread was requested. */
  #refusal: string | null;
  #workers: Workers | null = null;
  #memories: Memories | null = null;

  /** @throws when `threads` is no whole number from 1 to 32. */
  constructor({ threads, workerUrl }: TeamOptions) {
    const { count, refusal } = availableThreads();
    const asked = threads ?? Math.min(count, USUAL_THREADS);
    if (!Number.isInteger(asked) || asked < 1 || asked > MAX_THREADS)
      throw new GradsimError(
        'kernel/option-out-of-range',
        `threads must be a whole number from 1 to ${MAX_THREADS}, got ${describeValue(asked)}.`,
        { field: 'threads' },
      );
    this.startsAtOnce = threads !== undefined;
    this.#planned = refusal === null && count === 1 ? 1 : asked;
    this.#refusal = threads === 1 ? null : refusal;
    this.#page = isNode() || this.threads === 1 ? null : pageWorkers(workerUrl);
    this.ready = this.#page?.ready ?? Promise.resolve();
  }

  /** Number of threads that run, the caller's included. */
  get threads(): number {
    return (this.#refusal ?? this.#page?.refusal ?? null) === null ? this.#planned : 1;
  }

  /** Number of threads and, if there is only one for want of workers, the reason: for people. */
  get description(): string {
    const refusal = this.#refusal ?? this.#page?.refusal;
    if (refusal) return `1 thread: ${refusal}`;
    const isKnown = this.#page?.isKnown ?? true;
    return `${isKnown ? '' : 'up to '}${this.#planned} thread${this.#planned === 1 ? '' : 's'}`;
  }

  /** Workers, started by `start` on first use: its code is loaded with the first executor. Null if there are none. */
  workersBy(start: (threads: number, inPage: (() => Worker) | null) => Workers): Workers | null {
    if (this.threads === 1) return null;
    try {
      const page = this.#page;
      this.#workers ??= start(this.#planned, page && (() => page.start()));
    } catch (error) {
      this.#refusal = `this process may start none (${(error as Error).message})`;
    }
    return this.#workers;
  }

  /** Resolves once workers, if any have started, have released the memory of all executors that were disposed of. */
  async haveReleased(): Promise<void> {
    await this.#workers?.haveRemoved();
  }

  /** Memory that the workers share with the caller's thread, made by `make` on first use. */
  memoriesBy(make: () => Memories): Memories {
    this.#memories ??= make();
    return this.#memories;
  }

  dispose(): void {
    this.#workers?.dispose();
    this.#workers = null;
  }
}
