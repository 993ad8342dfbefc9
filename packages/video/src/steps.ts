import type { StopSignal } from '@gradsim/base';
import { breathing } from './source/watch.ts';

/** Work in steps of some milliseconds at most, between which it can be stopped. */
export type Steps<T> = Generator<void, T, void>;

/** Does the work without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * Does the work, and lets signals and timers run every 50 ms.
 * @throws the signal's reason when that is aborted.
 */
export async function withPauses<T>(steps: Steps<T>, signal?: StopSignal): Promise<T> {
  const breathe = breathing(signal);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await breathe();
  }
}
