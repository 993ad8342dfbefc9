import type { StopSignal } from '@gradsim/base';
import { describeValue, GradsimError } from '@gradsim/base';

/** Limits of reading: an abort signal and a timeout. */
export interface ReadingLimits {
  readonly signal?: StopSignal;
  /** Maximum time without progress, s, after which reading is given up. */
  readonly patience: number;
}

/** Default maximum time without progress, s: ample for a picture of any size on a busy machine. */
export const DEFAULT_TIMEOUT = 30;

/**
 * Creates the limits of reading.
 * @throws GradsimError unless `patience` is above 0 s and at most a day.
 */
export function readingLimits(signal: StopSignal | undefined, patience: number): ReadingLimits {
  if (!(Number.isFinite(patience) && patience > 0 && patience <= 86_400))
    throw new GradsimError('video/option-out-of-range', `patience is ${describeValue(patience)}.`, {
      field: 'patience',
      hint: 'It must be a number of seconds above 0, at most a day (86400).',
    });
  return { signal, patience };
}

/**
 * Waits for a promise, at most for the watch's patience without progress.
 *
 * @param what name of the result in messages, such as `a.mp4: frame 3 of 60`.
 * @param from `progressCount`: counter of progress, whose change restarts the timeout; `program`: name of the program to blame.
 * @param giveUp called first on a timeout or when the signal is aborted: ends the work that the promise waits for.
 * @throws GradsimError on a timeout; the signal's reason when that is aborted.
 */
export async function withTimeout<T>(
  coming: Promise<T>,
  { signal, patience }: ReadingLimits,
  what: string,
  giveUp: () => void,
  { progressCount = () => 0, program }: { progressCount?: () => number; program?: string } = {},
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let abort: (() => void) | undefined;
  const ended = new Promise<never>((_, reject) => {
    const end = (reason: unknown): void => {
      giveUp();
      reject(reason);
    };
    let before = progressCount();
    const wait = (): void => {
      timer = setTimeout(() => {
        const now = progressCount();
        if (now !== before) {
          before = now;
          wait();
          return;
        }
        const blame = program ? `The program ${program} hangs, the file is damaged,` : 'The file is damaged,';
        end(
          new GradsimError(
            'video/too-slow',
            `${what} did not come within ${patience} s, so reading was given up. ${blame} or the machine is very busy.`,
            { hint: 'Then allow more with patience, in seconds.' },
          ),
        );
      }, 1000 * patience);
    };
    wait();
    abort = () => end(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
  });
  try {
    return await Promise.race([coming, ended]);
  } finally {
    // An abandoned promise may still reject; that is ignored.
    coming.catch(() => {});
    clearTimeout(timer);
    if (abort) signal?.removeEventListener('abort', abort);
  }
}

/**
 * Creates a function that is called between pictures decoded on this thread. Every 50 ms it lets signals and timers
 * run, and it throws if the signal is aborted.
 */
export function yieldPeriodically(signal: StopSignal | undefined): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last > 50) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      last = performance.now();
    }
    signal?.throwIfAborted();
  };
}
