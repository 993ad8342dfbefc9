import type { Estimate, Iteration } from '../result.ts';
import type { Report, WorkerStage } from './messages.ts';

/** How far an estimation in a worker has come. */
export interface WorkerProgress {
  /** What it is at: its module is loaded, the problem made, kernels compiled for it, or simulations run. */
  readonly stage: WorkerStage;
  /** Seconds since the estimation was asked for. */
  readonly seconds: number;
  /** Of these, since the last iteration, or from the beginning: how long the one under way has taken so far. */
  readonly waited: number;
  /**
   * Seconds since the worker was last heard of. It gives a sign of life some twenty times a second, but not in the midst of
   * code that keeps its thread to itself: a frame of a large simulation, a loop in your own code. One that hangs stays silent.
   */
  readonly silent: number;
  /** The last iteration; null before the first has ended. */
  readonly iteration: Iteration | null;
  /** Iterations that there may be; 0 before the first has ended. */
  readonly of: number;
  /**
   * The best so far, as the result has it: without standard errors, the parts of the loss and what it shows; null before the
   * first iteration has ended.
   */
  readonly best: Estimate | null;
  /** All frames of the fields that were asked for, by key, as the best start showed them last; empty before. */
  readonly frames: Readonly<Record<string, Float64Array>>;
}

/** From one call of `onProgress` to the next, ms: at least, and where there is nothing new. */
const PAUSE = 50;
const PATIENCE = 75;
/** How often it is seen whether one is due, ms. */
const TICK = 25;

/** The best so far, with every iteration; tells of it no more often than somebody can look, and that it goes on. */
export class ProgressLog {
  readonly #history: Iteration[] = [];
  readonly #onProgress: ((progress: WorkerProgress) => void) | undefined;
  readonly #onError: (error: unknown) => void;
  readonly #timer: ReturnType<typeof setInterval> | undefined;
  readonly #began = performance.now();
  #stage: WorkerStage = 'loading';
  #best: Estimate | null = null;
  #frames: WorkerProgress['frames'] = {};
  #of = 0;
  #iterated = this.#began;
  #heard = this.#began;
  #told = this.#began;
  #hasNews = false;

  /** @param onError takes what `onProgress` throws. */
  constructor(onProgress: ((progress: WorkerProgress) => void) | undefined, onError: (error: unknown) => void) {
    this.#onProgress = onProgress;
    this.#onError = onError;
    if (onProgress) this.#timer = setInterval(() => this.#tellInTime(), TICK);
  }

  /** The best so far; null where there is nothing yet. */
  get best(): Estimate | null {
    return this.#best && { ...this.#best, history: [...this.#history] };
  }

  /** The worker is alive. */
  hear(stage: WorkerStage): void {
    this.#heard = performance.now();
    if (stage === this.#stage) return;
    this.#stage = stage;
    this.#hasNews = true;
    this.#tellInTime();
  }

  take({ line, of, best, frames }: Extract<Report, { readonly kind: 'progress' }>): void {
    this.#iterated = this.#heard = performance.now();
    this.#history.push(line);
    this.#best = best;
    this.#of = of;
    if (Object.keys(frames).length > 0) this.#frames = frames;
    this.#hasNews = true;
    this.#tellInTime();
  }

  #tellInTime(): void {
    const since = performance.now() - this.#told;
    if (since >= (this.#hasNews ? PAUSE : PATIENCE)) this.#tell();
  }

  /** Tells what has not been told. */
  tellRest(): void {
    if (this.#hasNews) this.#tell();
  }

  #tell(): void {
    const now = performance.now();
    const since = (then: number): number => (now - then) / 1000;
    this.#hasNews = false;
    this.#told = now;
    try {
      this.#onProgress?.({
        stage: this.#stage,
        seconds: since(this.#began),
        waited: since(this.#iterated),
        silent: since(this.#heard),
        iteration: this.#history.at(-1) ?? null,
        of: this.#of,
        best: this.best,
        frames: this.#frames,
      });
    } catch (error) {
      this.#onError(error);
    }
  }

  end(): void {
    clearInterval(this.#timer);
  }
}
