import type { StopSignal } from '@gradsim/kernel';
import { GradsimError } from '@gradsim/kernel';

/** Limits of the time that reading may take. */
export interface Watch {
  readonly signal?: StopSignal;
  /** Timeout in seconds without anything new after which a decoder is given up. */
  readonly patience: number;
}

/** Default timeout, s: ample for a picture of any size on a busy machine. */
export const DEFAULT_TIMEOUT = 30;

/** @throws GradsimError for a patience that is no time. */
export function watchOf(signal: StopSignal | undefined, patience: number): Watch {
  if (!(patience > 0 && patience <= 86_400))
    throw new GradsimError('video/option-out-of-range', `patience is ${patience}.`, {
      field: 'patience',
      hint: 'It must be a number of seconds above 0, at most a day (86400).',
    });
  return { signal, patience };
}

/**
 * Waits for something that must come within the watch's patience.
 *
 * @param what names it in the message, such as `a.mp4: frame 3 of 60`.
 * @param from where it comes from: signs of life, each of which begins the time anew, and the program that is to blame.
 * @param giveUp called first when it does not come, or the signal is aborted: ends what it would come from.
 * @throws GradsimError when it does not come in time; the signal's reason when that is aborted.
 */
export async function inTime<T>(
  coming: Promise<T>,
  { signal, patience }: Watch,
  what: string,
  giveUp: () => void,
  { signs = () => 0, program }: { signs?: () => number; program?: string } = {},
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let abort: (() => void) | undefined;
  const ended = new Promise<never>((_, reject) => {
    const end = (reason: unknown): void => {
      giveUp();
      reject(reason);
    };
    let before = signs();
    const wait = (): void => {
      timer = setTimeout(() => {
        const now = signs();
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

/** Yields to signals and timers between pictures that are decoded on this thread, every few of them. */
export function breathing(signal: StopSignal | undefined): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last > 50) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      last = performance.now();
    }
    signal?.throwIfAborted();
  };
}
