import type { Outcome } from './outcome.ts';
import type { Trial } from './trial.ts';

/** Queue of trials for workers. */
export interface TrialQueue {
  /** Adds trials. Those with a known id are skipped, so that what a queue has lost can be added anew. */
  readonly add: (trials: readonly Trial[]) => Promise<void>;
  /**
   * Outcomes of trials as they arrive, until the queue is closed or, once it is drained, nothing runs any more. An id
   * may occur more than once: count ids.
   * @throws if no trial can be run at all.
   */
  readonly outcomes: () => AsyncIterable<Outcome>;
  /** Releases what the queue keeps of outcomes: their lines are on the disk. */
  readonly release: (ids: readonly string[]) => void;
  /** Stops giving trials to workers of this process; running ones finish. */
  readonly drain: () => void;
  /** Ends all that runs here. */
  readonly close: () => Promise<void>;
}
