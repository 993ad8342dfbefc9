import { createHash } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import type { Journal } from '@gradsim/optim';

/** Of a record in front of its content: its length, and the beginning of its hash. */
const HEAD = 4 + 8;

/** What a record holds: which work, with what, and what it gave. */
interface Entry {
  readonly what: string;
  readonly given: string;
  readonly result: unknown;
}

/**
 * A journal in a file. Records are only ever added, each with a hash of its content, so a file that ends in the midst of
 * one, as a run leaves it that is ended at once, has all the others.
 */
export class FileJournal {
  readonly #file: number;
  readonly #path: string;
  readonly #entries: Entry[];
  readonly #signal?: AbortSignal;
  #next = 0;

  /** @param signal once it is aborted, what runs is not that of an undisturbed run, and nothing is written any more. */
  constructor(path: string, signal?: AbortSignal) {
    const { entries, bytes } = existsSync(path) ? readEntries(readFileSync(path)) : { entries: [], bytes: 0 };
    this.#path = path;
    this.#entries = entries;
    this.#signal = signal;
    this.#file = openSync(path, 'a');
    // What a run was writing when it ended.
    ftruncateSync(this.#file, bytes);
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** The journal of a part of the run. */
  of(part: string): Journal {
    return { once: (what, given, work) => this.#once(`${part}: ${what}`, given, work) };
  }

  async #once<T>(what: string, given: readonly ArrayLike<number>[], work: () => Promise<T>): Promise<T> {
    if (this.#signal?.aborted) return work();
    const hash = hashOf(given);
    const entry = this.#entries[this.#next];
    if (entry) {
      this.#next++;
      if (entry.what === what && entry.given === hash) return entry.result as T;
      throw new Error(
        `${this.#path} is of a run that did something else: its record ${this.#next} is of "${entry.what}", and this run comes to "${what}"${entry.what === what ? ' with other numbers' : ''}. Has the experiment changed, or a package? Begin anew with --force.`,
      );
    }
    const result = await work();
    this.#write({ what, given: hash, result });
    return result;
  }

  #write(entry: Entry): void {
    this.#entries.push(entry);
    this.#next++;
    const content = serialize(entry);
    const head = Buffer.alloc(HEAD);
    head.writeUInt32LE(content.length);
    digest(content).copy(head, 4, 0, HEAD - 4);
    writeSync(this.#file, Buffer.concat([head, content]));
  }

  close(): void {
    fsyncSync(this.#file);
    closeSync(this.#file);
  }
}

const digest = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

function hashOf(given: readonly ArrayLike<number>[]): string {
  const hash = createHash('sha256');
  for (const numbers of given) hash.update(new Uint8Array(Float64Array.from(numbers).buffer)).update('|');
  return hash.digest('hex').slice(0, 16);
}

/** All whole records, and how many bytes they take. */
function readEntries(file: Buffer): { entries: Entry[]; bytes: number } {
  const entries: Entry[] = [];
  let at = 0;
  while (at + HEAD <= file.length) {
    const length = file.readUInt32LE(at);
    const content = file.subarray(at + HEAD, at + HEAD + length);
    const isWhole =
      content.length === length &&
      digest(content)
        .subarray(0, HEAD - 4)
        .equals(file.subarray(at + 4, at + HEAD));
    if (!isWhole) break;
    entries.push(deserialize(content) as Entry);
    at += HEAD + length;
  }
  return { entries, bytes: at };
}
