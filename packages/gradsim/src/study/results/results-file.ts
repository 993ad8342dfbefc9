import { closeSync, constants, fdatasync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { promisify } from 'node:util';
import { reasonOfSystem, statusOf, statusOfOpen } from '@gradsim/base/files';
import { GradsimError } from '@gradsim/core';
import { object, optional, problemOf, record, rule, text, whole } from '../../shape.ts';
import { attempt, type Outcome } from './outcome.ts';

/** Name of the results file: one line of JSON per trial, in the order in which trials ended. */
export const RESULTS = 'results.jsonl';
/** Time over which lines are collected before they are written and synced to the disk together, ms. */
const GATHERED_MS = 100;
/** Number of bytes read at a time. */
const CHUNK = 1 << 20;

const synced = promisify(fdatasync);

/**
 * Append-only results file. A line truncated by a crash is removed when the file is opened next; its trial then runs
 * again.
 */
export class ResultsFile {
  readonly #path: string;
  readonly #file: number;
  /** Length of the intact first part of the file, bytes. */
  #bytes: number;
  #gathered: Outcome[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #failure: Error | undefined;
  readonly #onFailure: (error: Error) => void;
  readonly #onWritten: (ids: readonly string[]) => void;
  /** Ids of the trials that have a line. */
  readonly ids: ReadonlySet<string>;
  /** Sentence on a truncated last line, which was removed; undefined if the line is intact. */
  readonly remark: string | undefined;

  /**
   * @param onFailure called once, if lines cannot be written.
   * @param onWritten called with the ids of lines that are on the disk.
   * @throws if the file cannot be opened, or holds something other than results.
   */
  constructor(path: string, onFailure: (error: Error) => void, onWritten: (ids: readonly string[]) => void = () => {}) {
    this.#path = path;
    this.#onFailure = onFailure;
    this.#onWritten = onWritten;
    this.#file = openFile(path, constants.O_RDWR | constants.O_CREAT);
    try {
      const ids = new Set<string>();
      const { whole, length } = eachLine(path, this.#file, ({ id }) => {
        if (ids.has(id))
          throw new GradsimError(
            'gradsim/results-damaged',
            `${path} has the trial ${id} twice: it was written by something else.`,
          );
        ids.add(id);
      });
      this.ids = ids;
      this.#bytes = whole;
      ftruncateSync(this.#file, whole);
      this.remark =
        length > whole
          ? `The last line of ${path} is cut off, as the study was ended while it was written: it is dropped, and its trial runs again.`
          : undefined;
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
  }

  /** Appends a result line; it is written to the disk within a short delay. */
  add(outcome: Outcome): void {
    this.#gathered.push(outcome);
    this.#timer ??= setTimeout(() => void this.#write(), GATHERED_MS);
  }

  /** Stops collecting lines; resolves once all are on the disk. @throws if they cannot be written. */
  async close(): Promise<void> {
    await this.#write();
    closeSync(this.#file);
    if (this.#failure) throw this.#failure;
  }

  #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(async () => {
      const outcomes = this.#gathered.splice(0);
      const bytes = Buffer.from(outcomes.map((outcome) => `${JSON.stringify(outcome)}\n`).join(''));
      if (bytes.length === 0 || this.#failure) return;
      try {
        for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at, undefined, this.#bytes + at);
        await synced(this.#file);
        requireInPlace(this.#path, this.#file);
        this.#bytes += bytes.length;
        this.#onWritten(outcomes.map(({ id }) => id));
      } catch (cause) {
        this.#failure = new GradsimError(
          'gradsim/file-unwritable',
          `${this.#path} cannot be written to: ${reasonOfSystem(cause)}. Its lines up to there are kept; when there is room, the same command goes on.`,
          { cause },
        );
        removeAfter(this.#file, this.#bytes);
        this.#onFailure(this.#failure);
      }
    });
    return this.#writing;
  }
}

/** Calls a function for each result line of a study. @throws if the study has no results file. */
export function readResults(path: string, onLine: (outcome: Outcome) => void): void {
  const file = openFile(path, constants.O_RDONLY);
  try {
    eachLine(path, file, onLine);
  } finally {
    closeSync(file);
  }
}

/** @throws if a file that is open has been removed, or replaced by another: what is written to it is in no folder. */
function requireInPlace(path: string, file: number): void {
  const [here, open] = [statusOf(path), statusOfOpen(file)];
  if (here?.ino !== open.ino || here.dev !== open.dev) throw new Error('another file has taken its place');
}

/** Truncates the file after its intact part, to remove a partly written line. */
function removeAfter(file: number, bytes: number): void {
  try {
    ftruncateSync(file, bytes);
  } catch {
    // It is removed when the file is opened next.
  }
}

/** @throws for what is no regular file: a pipe is refused at once, not waited for. */
function openFile(path: string, how: number): number {
  let file: number;
  try {
    file = openSync(path, how | (constants.O_NONBLOCK ?? 0));
  } catch (cause) {
    const code = how === constants.O_RDONLY ? 'gradsim/file-unreadable' : 'gradsim/file-unwritable';
    throw new GradsimError(code, `${path} cannot be opened: ${reasonOfSystem(cause)}.`, { cause });
  }
  if (statusOfOpen(file).isFile()) return file;
  closeSync(file);
  throw new GradsimError('gradsim/not-a-file', `${path} is no file, so it can hold no results.`);
}

/** Calls a function for each complete line. Returns the length of all complete lines, and of the file, bytes. */
function eachLine(path: string, file: number, onLine: (outcome: Outcome) => void): { whole: number; length: number } {
  const chunk = Buffer.alloc(CHUNK);
  const decoder = new StringDecoder('utf8');
  let [length, whole, rest, number] = [0, 0, '', 0];
  for (;;) {
    const read = readSync(file, chunk, 0, CHUNK, length);
    if (read === 0) break;
    const bytes = chunk.subarray(0, read);
    const end = bytes.lastIndexOf('\n');
    if (end !== -1) whole = length + end + 1;
    length += read;
    const lines = (rest + decoder.write(bytes)).split('\n');
    rest = lines.pop()!;
    for (const line of lines) onLine(outcomeOf(path, line, ++number));
  }
  return { whole, length };
}

const OUTCOME = object({
  // A folder is named by it.
  id: rule('letters and digits', (value) => typeof value === 'string' && /^\w{1,64}$/.test(value)),
  settings: record(() => undefined),
  attempts: whole(1),
  ended: attempt,
  from: optional(object({ machine: text, arrived: text })),
});

/** Parses a result line. @throws for a line that is not a result, naming its number. */
function outcomeOf(path: string, line: string, number: number): Outcome {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    value = undefined;
  }
  const problem = problemOf(value, OUTCOME);
  if (problem === undefined) return value as Outcome;
  throw new GradsimError(
    'gradsim/results-damaged',
    `Line ${number} of ${path} is no result of a trial: ${problem}. The file is damaged, or of something else.`,
    { hint: 'Remove that line, and its trial runs again.' },
  );
}
