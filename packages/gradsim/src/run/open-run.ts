import { relative } from 'node:path';
import { GradsimError, isGradsimError } from '@gradsim/core';
import { isOfJavaScript } from '../experiment/call.ts';
import { quote } from '../experiment/record/record.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { JOURNAL_FILE, RUN_FILE, type RunFolder } from './folder.ts';
import { FileJournal, recordsIn } from './journal.ts';
import type { RunRequest } from './request.ts';

/** Folder and journal of a run in progress. If the run does not finish, they keep the data for resuming it. */
export class OpenRun {
  readonly folder: RunFolder;
  readonly journal: FileJournal;
  readonly #isResumed: boolean;
  readonly #signal: AbortSignal;
  readonly #say: Terminal['say'];

  /**
   * @param folder folder held by this run; `close` releases it.
   * @param request the request, recorded unless the run is resumed.
   * @param signal aborted by an interrupt.
   * @throws if the folder's files cannot be written, or belong to something else.
   */
  constructor(
    folder: RunFolder,
    request: RunRequest,
    {
      isResumed,
      signal,
      say,
    }: { readonly isResumed: boolean; readonly signal: AbortSignal; readonly say: Terminal['say'] },
  ) {
    this.folder = folder;
    this.#isResumed = isResumed;
    this.#signal = signal;
    this.#say = say;
    for (const remark of folder.remarks) say(remark);
    try {
      if (!isResumed) folder.write(RUN_FILE, `${JSON.stringify(request, null, 2)}\n`);
      this.journal = new FileJournal(folder.join(JOURNAL_FILE), signal);
    } catch (error) {
      this.#keep();
      folder.close();
      throw error;
    }
    if (this.journal.remark !== undefined) say(this.journal.remark);
    process.on('exit', this.#onExit);
  }

  /** Path of the results folder, relative to the folder in which the command was started. */
  get name(): string {
    return relative('.', this.folder.path) || '.';
  }

  /** Command line that resumes the run; undefined if there is nothing to resume. */
  goOn(): string | undefined {
    return this.folder.has(RUN_FILE) ? `gradsim estimate --resume ${quote(this.name)}` : undefined;
  }

  /** Removes the data for resuming a finished run. */
  end(): void {
    for (const name of [JOURNAL_FILE, RUN_FILE]) this.folder.remove(name);
  }

  /** Prints how many records of a failed run are kept, and returns the error that names the cause. */
  failed(error: unknown): unknown {
    const kept = this.#keep();
    if (this.#isOfRecord(error))
      return new GradsimError(
        'gradsim/journal-damaged',
        `Record ${this.journal.position} of ${this.folder.join(JOURNAL_FILE)} is whole, but the run fails with its content, which is not what this command writes.`,
        { hint: 'Begin anew with --force.', cause: error },
      );
    if (!isGradsimError(error, 'gradsim/journal-of-other-run')) this.#sayKept(kept);
    return error;
  }

  close(): void {
    process.off('exit', this.#onExit);
    this.journal.close();
    this.folder.close();
  }

  /**
   * Number of records kept for resuming; if there are none, the data for resuming are removed, unless this run was
   * itself resumed.
   */
  #keep(): number {
    const kept = this.folder.has(RUN_FILE) ? recordsIn(this.folder.join(JOURNAL_FILE)) : 0;
    if (kept === 0 && !this.#isResumed) this.end();
    return kept;
  }

  #sayKept(kept: number): void {
    if (kept > 0)
      this.#say(
        `What it had worked out is kept, ${kept} ${kept === 1 ? 'record' : 'records'}. Once mended, go on with: ${this.goOn()}`,
      );
  }

  /** True if a run failed because of the content of its journal, which only a hash protects against changes. */
  #isOfRecord(error: unknown): boolean {
    if (!this.journal.isReplayed || isGradsimError(error, 'gradsim/experiment-failed')) return false;
    return isOfJavaScript(error) || (error instanceof Error && isOfJavaScript(error.cause));
  }

  /** Called when an experiment, or an uncaught error, ends the process. */
  readonly #onExit = (): void => {
    if (!this.#signal.aborted) this.#sayKept(this.#keep());
    this.close();
  };
}
