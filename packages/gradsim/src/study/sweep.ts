import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { GradsimError } from '@gradsim/core';
import { RunFolder } from '../run/folder.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type PoolOptions, processPool } from './pool.ts';
import { showStudyProgress } from './progress.ts';
import { RESULTS, ResultsFile } from './results-file.ts';
import type { LoadedStudy } from './source.ts';
import { claimFolder } from './study-record.ts';
import { DRAFT, TRIALS, type Trial } from './trial.ts';

/** Options of a sweep. */
export interface SweepOptions extends Omit<PoolOptions, 'code'> {
  /** Study as named. */
  readonly name: string;
  readonly quiet: boolean;
  readonly terminal: Terminal;
  /** Once it is aborted no more trials begin. */
  readonly signal: AbortSignal;
}

/**
 * Runs the trials of a study that have no result line in its folder yet.
 * @throws if the folder is in use or of another study, if no trial can be run, and if results cannot be written;
 * existing lines stay.
 */
export async function sweep(loaded: LoadedStudy, trials: readonly Trial[], options: SweepOptions): Promise<void> {
  const { out, name, quiet, terminal, signal } = options;
  const { sources, code } = loaded;
  const folder = new RunFolder(out);
  try {
    for (const remark of folder.remarks) terminal.say(remark);
    claimFolder(folder, { format: 1, study: name, ...sources, code, trials: trials.length });
    removeDrafts(out);
    let failure: Error | undefined;
    const queue = processPool({ ...options, code });
    const results = new ResultsFile(folder.join(RESULTS), (error) => {
      failure = error;
      queue.drain();
    });
    const onAbort = (): void => queue.drain();
    signal.addEventListener('abort', onAbort);
    try {
      if (results.remark) terminal.say(results.remark);
      refuseForeign(results.ids, trials, folder.path);
      const missing = new Set(trials.map(({ id }) => id).filter((id) => !results.ids.has(id)));
      if (missing.size < trials.length)
        terminal.say(`${trials.length - missing.size} of ${trials.length} trials have results already.`);
      const progress = await showStudyProgress(trials.length, trials.length - missing.size, terminal, quiet);
      try {
        await queue.add(trials.filter(({ id }) => missing.has(id)));
        if (missing.size > 0)
          for await (const outcome of queue.outcomes()) {
            // Outcomes may come more than once.
            if (!missing.delete(outcome.id)) continue;
            results.add(outcome);
            progress.update(outcome);
            if (missing.size === 0 || failure) break;
          }
      } finally {
        progress.end();
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      await queue.close();
      removeDrafts(out);
      await results.close();
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

/** Removes files of unfinished attempts. */
function removeDrafts(out: string): void {
  const folder = join(out, TRIALS);
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return;
  }
  for (const name of names) if (name.startsWith(DRAFT)) rmSync(join(folder, name), { recursive: true, force: true });
}
