import type { WasmModule } from '../../emit/wasm/module.ts';
import { nodeModules, nodeSource, TAKEN_COUNTERS, WORD_OFFSETS } from './thread-source.ts';

/** Common interface of both kinds of workers. */
interface Thread {
  post(message: unknown): void;
  end(): void;
  /** Sets whether the thread keeps the process alive. */
  keepAlive(isHeld: boolean): void;
}

function startThread(
  startInPage: (() => Worker) | null,
  onMessage: (mail: number) => void,
  onError: (error: unknown) => void,
): Thread {
  const workerThreads = nodeModules?.getBuiltinModule?.('node:worker_threads');
  if (!startInPage && workerThreads) {
    const worker = new workerThreads.Worker(nodeSource(), { eval: true, execArgv: [] });
    worker.on('message', onMessage);
    worker.on('error', onError);
    return {
      post: (message) => worker.postMessage(message),
      end: () => void worker.terminate(),
      keepAlive: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
    };
  }
  const worker = startInPage!();
  worker.onmessage = (event: MessageEvent<number>) => onMessage(event.data);
  worker.onerror = onError;
  return {
    post: (message) => worker.postMessage(message),
    end: () => worker.terminate(),
    keepAlive: () => {},
  };
}

/** Returns whether this thread may block in `Atomics.wait`; the main thread of a page may not. */
export function maySleep(): boolean {
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 0);
    return true;
  } catch {
    return false;
  }
}

/** An executor's registration with the worker threads. */
export interface Helpers {
  /** Number by which the workers know the executor. */
  readonly executor: number;
  readonly ready: Promise<void>;
  readonly areReady: () => boolean;
}

/**
 * Worker threads beside the caller's own: Workers in a page, worker threads in Node. They share the memory of each
 * executor, run programs that the caller starts, and synchronise with the caller's own thread within them.
 */
export class Workers {
  readonly #threads: Thread[];
  readonly #words: Int32Array;
  #executors = 0;
  /** Number of messages that each worker has processed, and the callers waiting for them. */
  readonly #taken: number[];
  #waiting: { mail: number; done: () => void; fail: (error: unknown) => void }[] = [];
  #error: unknown = null;
  /** Number of the last message that removed an executor. */
  #lastRemoval = 0;

  /**
   * @param threads number of threads, including the caller's.
   * @param startInPage creates a worker in a page; null in Node.
   */
  constructor(threads: number, startInPage: (() => Worker) | null) {
    this.#words = new Int32Array(new SharedArrayBuffer((TAKEN_COUNTERS + threads) * 4));
    this.#taken = new Array<number>(threads - 1).fill(0);
    this.#threads = this.#taken.map((_, k) =>
      startThread(
        startInPage,
        (mail) => {
          this.#taken[k] = mail;
          this.#settle();
        },
        (error) => {
          this.#error = error ?? new Error('a worker could not start');
          this.#settle();
        },
      ),
    );
    this.#threads.forEach((thread, k) => {
      thread.keepAlive(false);
      thread.post({ words: this.#words, thread: k + 1 });
    });
    this.#words[WORD_OFFSETS.mail] = 1;
  }

  #settle(): void {
    const least = Math.min(...this.#taken);
    this.#waiting = this.#waiting.filter(({ mail, done, fail }) => {
      if (this.#error) fail(this.#error);
      else if (least >= mail) done();
      else return true;
      return false;
    });
    if (this.#waiting.length === 0) for (const thread of this.#threads) thread.keepAlive(false);
  }

  #post(message: (thread: number) => unknown): number {
    this.#threads.forEach((thread, k) => thread.post(message(k)));
    const mail = Atomics.add(this.#words, WORD_OFFSETS.mail, 1) + 1;
    this.#signal();
    return mail;
  }
  #signal(): void {
    Atomics.add(this.#words, WORD_OFFSETS.signals, 1);
    Atomics.notify(this.#words, WORD_OFFSETS.signals);
  }

  /**
   * Sends a module and its memory to all workers. Returns at once, with the executor's number; workers that are not
   * ready join its programs late. `ready` waits for them, `areReady` checks. The caller's local arrays start at byte
   * `arrays`, those of worker k (from 0) at `arrays + (k + 1) arrayBytes`.
   */
  add(
    module: WebAssembly.Module,
    memory: WebAssembly.Memory,
    { arrays, arrayBytes }: Pick<WasmModule, 'arrays' | 'arrayBytes'>,
  ): Helpers {
    const executor = this.#executors++;
    const mail = this.#post((k) => ({ executor, module, memory, arrays: arrays + (k + 1) * arrayBytes }));
    for (const thread of this.#threads) thread.keepAlive(true);
    return { executor, ready: this.#waitForReplies(mail), areReady: () => this.#haveTaken(mail) };
  }
  /** Makes all workers release a module and its memory; resolves once they have. */
  remove(executor: number): Promise<void> {
    this.#lastRemoval = this.#post(() => ({ executor }));
    return this.#waitForReplies(this.#lastRemoval);
  }
  /** Resolves once the workers have released all that was removed, or have failed. */
  async haveRemoved(): Promise<void> {
    if (Math.min(...this.#taken) >= this.#lastRemoval) return;
    for (const thread of this.#threads) thread.keepAlive(true);
    await this.#waitForReplies(this.#lastRemoval).catch(() => {});
  }

  /**
   * Returns whether all workers have processed the first `mail` messages, by counters in shared memory: their replies
   * arrive only when the caller yields.
   */
  #haveTaken(mail: number): boolean {
    return this.#taken.every((_, k) => Atomics.load(this.#words, TAKEN_COUNTERS + k + 1) >= mail);
  }

  /** Resolves once all workers have processed the first `mail` messages. */
  #waitForReplies(mail: number): Promise<void> {
    return new Promise<void>((done, fail) => {
      this.#waiting.push({ mail, done, fail });
      this.#settle();
    });
  }

  /**
   * Announces a program that the caller runs, too, to all workers. They may join late or not at all; from the number of
   * the first phase they know which phases are over.
   */
  start(executor: number, program: number, table: number, rows: number, phase: number): void {
    const words = this.#words;
    // Odd while the words change, so that no thread reads half of this program and half of the last.
    Atomics.add(words, WORD_OFFSETS.runs, 1);
    words[WORD_OFFSETS.executor] = executor;
    words[WORD_OFFSETS.program] = program;
    words[WORD_OFFSETS.table] = table;
    words[WORD_OFFSETS.rows] = rows;
    words[WORD_OFFSETS.phase] = phase;
    Atomics.add(words, WORD_OFFSETS.runs, 1);
    this.#signal();
  }

  dispose(): void {
    for (const thread of this.#threads) thread.end();
  }
}
