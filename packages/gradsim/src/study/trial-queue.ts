import type { Outcome } from './results/outcome.ts';
import type { Trial } from './trial.ts';

/** Queue of trials for workers. */
export interface TrialQueue {
  /** Adds trials to the queue. Trials with a known id are skipped, so that those lost by a queue can be added again. */
  readonly add: (trials: readonly Trial[]) => Promise<void>;
  /**
   * Outcomes of trials as they arrive, until the queue is closed or, after `drain`, no trial runs any more. A trial may
   * have several outcomes: count distinct ids.
   * @throws if no trial can be run at all.
   */
  readonly outcomes: () => AsyncIterable<Outcome>;
  /** Frees what the queue keeps of the trials' outcomes; called once their result lines are on the disk. */
  readonly release: (ids: readonly string[]) => void;
  /** Stops starting trials on this machine's workers; running trials finish. */
  readonly drain: () => void;
  /** Kills trials that run in this process's children, and releases the queue's resources. */
  readonly close: () => Promise<void>;
}
