import { GradsimError } from '@gradsim/core';
import { RunFolder } from '../run/folder.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { claimFolder, type StudyRecord } from './load/study-record.ts';
import { showStudyProgress } from './progress.ts';
import { RESULTS, ResultsFile } from './results/results-file.ts';
import type { Trial } from './trial.ts';
import type { TrialQueue } from './trial-queue.ts';

/** Number of trials in a row that their machine fails, after which no more begin. */
const MOST_TROUBLES = 20;

/** Options of a sweep. */
export interface SweepOptions {
  /** Folder of the study's results. */
  readonly out: string;
  /** Creates the queue for the trials, after the folder has been acquired for this sweep. */
  readonly makeQueue: (folder: RunFolder) => Promise<TrialQueue>;
  readonly quiet: boolean;
  readonly terminal: Terminal;
  /** Aborted to stop: no more trials begin. */
  readonly signal: AbortSignal;
}

/**
 * Runs the trials of a study that have no result line in its folder yet.
 * @throws if the folder is in use or of another study, if no trial can be run, and if results cannot be written;
 * existing lines stay.
 */
export async function sweep(record: StudyRecord, trials: readonly Trial[], options: SweepOptions): Promise<void> {
  const { out, quiet, terminal, signal } = options;
  const folder = new RunFolder(out);
  try {
    for (const remark of folder.remarks) terminal.say(remark);
    claimFolder(folder, record);
    let failure: Error | undefined;
    let queue: TrialQueue | undefined;
    const drain = (): void => queue?.drain();
    const results = new ResultsFile(
      folder.join(RESULTS),
      (error) => {
        failure = error;
        drain();
      },
      (ids) => queue?.release(ids),
    );
    signal.addEventListener('abort', drain);
    try {
      queue = await options.makeQueue(folder);
      if (results.remark) terminal.say(results.remark);
      refuseForeign(results.ids, trials, folder.path);
      const missing = new Set(trials.map(({ id }) => id).filter((id) => !results.ids.has(id)));
      if (missing.size < trials.length)
        terminal.say(`${trials.length - missing.size} of ${trials.length} trials have results already.`);
      const troubles: string[] = [];
      /** Number of troubles before the last result. */
      let lastGood = 0;
      const progress = await showStudyProgress(trials.length, trials.length - missing.size, terminal, quiet);
      try {
        await queue.add(trials.filter(({ id }) => missing.has(id)));
        if (missing.size > 0)
          for await (const outcome of queue.outcomes()) {
            // Outcomes may come more than once.
            if (!missing.delete(outcome.id)) {
              queue.release([outcome.id]);
              continue;
            }
            if (outcome.ended.status === 'failed' && outcome.ended.reason === 'machine') {
              queue.release([outcome.id]);
              troubles.push(outcome.ended.message);
              if (troubles.length - lastGood === MOST_TROUBLES) queue.drain();
            } else {
              lastGood = troubles.length;
              results.add(outcome);
              progress.update(outcome);
            }
            if (missing.size === 0 || failure) break;
          }
      } finally {
        progress.end();
        if (troubles.length > 0)
          terminal.say(
            `${troubles.length} trials have no result, since their machine failed them: ${troubles[0].replace(/\.?$/, '.')} The same command tries them again.`,
          );
      }
    } finally {
      signal.removeEventListener('abort', drain);
      try {
        await results.close();
      } finally {
        await queue?.close();
      }
    }
  } finally {
    folder.close();
  }
}

/** @throws for results of trials that are not requested: the study's settings have changed. */
function refuseForeign(ids: ReadonlySet<string>, trials: readonly Trial[], folder: string): void {
  const asked = new Set(trials.map(({ id }) => id));
  const others = [...ids].filter((id) => !asked.has(id)).length;
  if (others > 0)
    throw new GradsimError(
      'gradsim/study-changed',
      `The folder ${folder} has results of ${others} trials that this study has not, as it is asked for now. Name another folder with --out; these results stay.`,
    );
}
