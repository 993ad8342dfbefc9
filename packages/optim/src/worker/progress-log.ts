import type { Iteration } from '../posterior/found.ts';
import type { Estimate } from '../result.ts';
import type { Building, Report, WorkerStage } from './messages.ts';

/** Progress of an estimation in a worker, as passed to `onProgress`. */
export interface WorkerProgress {
  /** Current activity of the worker: loading its module, building the problem, compiling kernels, or running simulations. */
  readonly stage: WorkerStage;
  /** Last progress that the problem's function reported by `onProgress`; null if it has reported none. */
  readonly building: Building | null;
  /** Time since the estimation was started, s. */
  readonly seconds: number;
  /** Time since the end of the last iteration, or since the start before the first one has ended, s. */
  readonly waited: number;
  /**
   * Time since the last message of the worker, s. It sends about twenty a second, but none while code blocks its
   * thread: a frame of a large simulation, or a loop in your own code. A worker that hangs stays silent.
   */
  readonly silent: number;
  /** Last finished iteration; null before the first has ended. */
  readonly iteration: Iteration | null;
  /** Maximum number of iterations; 0 before the first has ended. */
  readonly of: number;
  /**
   * Best result so far, without standard errors, the parts of the loss and the predicted frames; null before the first
   * iteration has ended.
   */
  readonly best: Estimate | null;
  /**
   * All frames of the requested fields, by key, from the last run of the best start; empty before the first iteration
   * ends.
   */
  readonly frames: Readonly<Record<string, Float64Array>>;
}

/** Minimum interval between calls of `onProgress`, ms. */
const MIN_PAUSE = 50;
/** Maximum interval between calls of `onProgress` if nothing has changed, ms. */
const MAX_PAUSE = 75;
/** Interval of the timer that checks whether a call of `onProgress` is due, ms. */
const TIMER_INTERVAL = 25;

/**
 * Collects all iterations and the best result so far from a worker's messages, and calls `onProgress` at a limited
 * rate.
 */
export class ProgressLog {
  readonly #history: Iteration[] = [];
  readonly #onProgress: ((progress: WorkerProgress) => void) | undefined;
  readonly #onError: (error: unknown) => void;
  readonly #timer: ReturnType<typeof setInterval> | undefined;
  readonly #began = performance.now();
  #stage: WorkerStage = 'loading';
  #building: Building | null = null;
  #best: Estimate | null = null;
  #frames: WorkerProgress['frames'] = {};
  #of = 0;
  #iterated = this.#began;
  #heard = this.#began;
  #reported = this.#began;
  #hasNews = false;

  /** @param onError called with errors that `onProgress` throws. */
  constructor(onProgress: ((progress: WorkerProgress) => void) | undefined, onError: (error: unknown) => void) {
    this.#onProgress = onProgress;
    this.#onError = onError;
    if (onProgress) this.#timer = setInterval(() => this.#reportInTime(), TIMER_INTERVAL);
  }

  /** Best result so far, with the history of all iterations; null before there is one. */
  get best(): Estimate | null {
    return this.#best && { ...this.#best, history: [...this.#history] };
  }

  /** Records that the worker is alive, and its stage. */
  hear(stage: WorkerStage): void {
    this.#heard = performance.now();
    if (stage === this.#stage) return;
    this.#stage = stage;
    this.#hasNews = true;
    this.#reportInTime();
  }

  /** Records the progress that the problem's function reports. */
  build(building: Building): void {
    this.#heard = performance.now();
    this.#building = building;
    this.#hasNews = true;
    this.#reportInTime();
  }

  take({ line, of, best, frames }: Extract<Report, { readonly kind: 'progress' }>): void {
    this.#iterated = this.#heard = performance.now();
    this.#history.push(line);
    this.#best = best;
    this.#of = of;
    if (Object.keys(frames).length > 0) this.#frames = frames;
    this.#hasNews = true;
    this.#reportInTime();
  }

  #reportInTime(): void {
    const since = performance.now() - this.#reported;
    if (since >= (this.#hasNews ? MIN_PAUSE : MAX_PAUSE)) this.#tell();
  }

  /** Calls `onProgress` once more if something has not been reported. */
  reportRest(): void {
    if (this.#hasNews) this.#tell();
  }

  #tell(): void {
    const now = performance.now();
    const since = (then: number): number => (now - then) / 1000;
    this.#hasNews = false;
    this.#reported = now;
    try {
      this.#onProgress?.({
        stage: this.#stage,
        building: this.#building,
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
