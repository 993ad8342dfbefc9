import { GradsimError } from '@gradsim/core';
import type { Attempt } from '../results/outcome.ts';
import type { Trial } from '../trial.ts';
import type { TrialConditions, TrialProcessOptions } from './messages.ts';
import { EndedEarly, TrialProcess } from './trial-process.ts';

/** Options of a {@link TrialRunner}. */
export interface RunnerOptions extends Omit<TrialProcessOptions, 'parent'> {
  /** Hash of the study's sources; a process that has loaded another version is refused. */
  readonly code: string;
}

/**
 * Maximum number of consecutive processes that end before they have loaded the study; after it, the runner gives up.
 */
const MAX_FAILED_STARTS = 20;

/** Runs trials one after another in a child process, which is replaced when it has ended or its memory has grown. */
export class TrialRunner {
  readonly #options: RunnerOptions;
  readonly #processes = new Set<TrialProcess>();
  #process: TrialProcess | undefined;
  #isEnded = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /**
   * Runs a trial until it ends, or its process does.
   * @throws if no process can load the study, or processes load another version of it.
   */
  async run(trial: Trial, attempt: number, conditions: TrialConditions): Promise<Attempt> {
    if (this.#process?.isOver) this.#process.end();
    if (!this.#process || this.#process.isOver) this.#process = await this.#begin();
    return this.#process.run(trial, attempt, conditions);
  }

  /** Kills the runner's processes; resolves once they have ended. */
  async end(): Promise<void> {
    this.#isEnded = true;
    for (const each of this.#processes) each.end();
    await Promise.all([...this.#processes].map(({ ended }) => ended));
  }

  async #begin(): Promise<TrialProcess> {
    for (let attempt = 1; ; attempt++) {
      const begun = new TrialProcess(this.#options);
      this.#processes.add(begun);
      void begun.ended.then(() => this.#processes.delete(begun));
      try {
        if ((await begun.loaded) === this.#options.code) return begun;
      } catch (error) {
        if (error instanceof EndedEarly && attempt < MAX_FAILED_STARTS && !this.#isEnded) continue;
        throw error;
      }
      begun.end();
      throw new GradsimError(
        'gradsim/study-changed',
        'The study, or a module or package of it, has changed since it was loaded. Start the command again.',
      );
    }
  }
}
