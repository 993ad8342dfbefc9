import type { Outcome } from './outcome.ts';
import type { Trial } from './trial.ts';

/** The place where trials wait for whoever runs them. */
export interface TrialQueue {
  /** Adds trials. One whose id is there already is not added again, so that what a queue has lost can be added anew. */
  readonly add: (trials: readonly Trial[]) => Promise<void>;
  /**
   * Outcomes of trials as they come, until the queue is closed or, once it is drained, nothing runs any more. Those of one id
   * may come more than once: whoever counts, counts ids.
   * @throws where no trial can be run at all.
   */
  readonly outcomes: () => AsyncIterable<Outcome>;
  /** Gives no more trials to workers; those that run come to their end. */
  readonly drain: () => void;
  /** Ends all that runs here. */
  readonly close: () => Promise<void>;
}
