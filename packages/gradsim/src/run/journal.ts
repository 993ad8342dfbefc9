import { createHash } from 'node:crypto';
import { closeSync, constants, fsyncSync, ftruncateSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { readBytesSync, reasonOfSystem, statusOfOpen } from '@gradsim/base/files';
import { GradsimError } from '@gradsim/core';
import type { Journal } from '@gradsim/optim';
import type { Entry } from './records.ts';
import { FILE_MAGIC, readRecords, recordOf, remarkOn } from './records.ts';

/**
 * Journal stored in a file. Records are only appended, each with a hash of its content, so that a file truncated within
 * a record, as after a kill, keeps all earlier records.
 */
export class FileJournal {
  readonly #file: number;
  readonly #path: string;
  readonly #entries: Entry[];
  readonly #signal?: AbortSignal;
  /** A sentence on damaged records that were dropped; undefined without any. */
  readonly remark: string | undefined;
  #next = 0;
  #isReplayed = false;

  /**
   * @param signal after it is aborted nothing more is written, since results then differ from those of an uninterrupted
   * run.
   * @throws if the file exists but is not a journal of this version, or cannot be read or written.
   */
  constructor(path: string, signal?: AbortSignal) {
    this.#path = path;
    this.#signal = signal;
    this.#file = openJournal(path);
    try {
      const found = readRecords(path, readFileSync(this.#file));
      this.#entries = found.entries;
      this.remark = remarkOn(path, found);
      // Removes everything after the last usable record.
      ftruncateSync(this.#file, found.bytes);
      if (found.bytes === 0) this.#add(FILE_MAGIC);
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Index of the most recently requested record. */
  get position(): number {
    return this.#next;
  }

  /** True if the last request was answered with a record from the file. */
  get isReplayed(): boolean {
    return this.#isReplayed;
  }

  /** Journal of a part of the run, named in its records. */
  of(part: string): Journal {
    return { once: (what, given, work) => this.#once(`${part}: ${what}`, given, work) };
  }

  async #once<T>(what: string, given: readonly ArrayLike<number>[], work: () => Promise<T>): Promise<T> {
    this.#isReplayed = false;
    if (this.#signal?.aborted) return work();
    const hash = hashOf(given);
    const entry = this.#entries[this.#next];
    if (entry) {
      this.#next++;
      this.#isReplayed = true;
      if (entry.what === what && entry.given === hash) return entry.result as T;
      throw new GradsimError(
        'gradsim/journal-of-other-run',
        `${this.#path} is of a run that did something else: its record ${this.#next} is of "${entry.what}", and this run comes to "${what}"${entry.what === what ? ' with other numbers' : ''}. Has the experiment changed, or a package? Begin anew with --force.`,
      );
    }
    const result = await work();
    const added: Entry = { what, given: hash, result };
    this.#add(recordOf(added));
    this.#entries.push(added);
    this.#next++;
    return result;
  }

  #add(bytes: Uint8Array): void {
    try {
      writeFileSync(this.#file, bytes);
    } catch (cause) {
      throw new GradsimError(
        'gradsim/file-unwritable',
        `${this.#path} cannot be written to: ${reasonOfSystem(cause)}.`,
        {
          cause,
        },
      );
    }
  }

  close(): void {
    fsyncSync(this.#file);
    closeSync(this.#file);
  }
}

/** Number of usable records in a journal file; 0 without one. */
export function recordsIn(path: string): number {
  try {
    return readRecords(path, Buffer.from(readBytesSync(path))).entries.length;
  } catch {
    return 0;
  }
}

/** @throws unless it is a regular file: reading from a pipe would never end. */
function openJournal(path: string): number {
  let file: number;
  try {
    // A pipe without a reader is refused at once, not waited for.
    file = openSync(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0));
  } catch (cause) {
    throw new GradsimError('gradsim/file-unwritable', `${path} cannot be opened: ${reasonOfSystem(cause)}.`, { cause });
  }
  if (statusOfOpen(file).isFile()) return file;
  closeSync(file);
  throw new GradsimError('gradsim/not-a-file', `${path} is no file, so it can be no journal of a run.`);
}

function hashOf(given: readonly ArrayLike<number>[]): string {
  const hash = createHash('sha256');
  for (const numbers of given) hash.update(new Uint8Array(Float64Array.from(numbers).buffer)).update('|');
  return hash.digest('hex').slice(0, 16);
}
