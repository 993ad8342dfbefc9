import type { StopSignal } from '@gradsim/base';
import { yieldPeriodically } from './source/watch.ts';

/** Work in steps of some milliseconds at most, between which it can be stopped. */
export type WorkSteps<T> = Generator<void, T, void>;

/** Does the work without a pause. */
export function runSteps<T>(steps: WorkSteps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * Does the work, and lets signals and timers run every 50 ms.
 * @throws the signal's reason when that is aborted.
 */
export async function runStepsWithPauses<T>(steps: WorkSteps<T>, signal?: StopSignal): Promise<T> {
  const breathe = yieldPeriodically(signal);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await breathe();
  }
}
