import { createHash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { GradsimError } from '@gradsim/core';

/** First bytes of a journal, with the version of its format. */
export const FILE_MAGIC = Buffer.from('gradsim journal 1\n');
/** Mark at the beginning of every record, by which records after a damaged one are found. */
const RECORD_MARK = Buffer.from('\u0001rec');
/** Length of a record's header, bytes: the mark, the content's length, and the first bytes of the hash. */
const HEADER_BYTES = RECORD_MARK.length + 4 + 8;

/** Content of a record: the name of the work, a hash of its inputs, and its result. */
export interface Entry {
  readonly what: string;
  readonly given: string;
  readonly result: unknown;
}

/** Usable records of a journal file. */
export interface Records {
  readonly entries: Entry[];
  /** Length of the usable first part of the file, including its magic bytes, bytes. */
  readonly bytes: number;
  /** Part of the file after that, which is dropped. */
  readonly dropped: {
    readonly bytes: number;
    /** Number of intact records in the dropped part. */
    readonly whole: number;
    /** True if the file ends within its last record, as after a kill during writing. */
    readonly isCut: boolean;
  };
}

/** Bytes of a record for an entry. */
export function recordOf(entry: Entry): Uint8Array {
  const content = serialize(entry);
  const head = Buffer.alloc(HEADER_BYTES);
  RECORD_MARK.copy(head);
  head.writeUInt32LE(content.length, RECORD_MARK.length);
  digest(content).copy(head, RECORD_MARK.length + 4, 0, 8);
  return Buffer.concat([head, content]);
}

/** Reads the records of a journal. @throws if the file is not a journal, or has another version of the format. */
export function readRecords(path: string, file: Buffer): Records {
  const nothing = { bytes: 0, whole: 0, isCut: false };
  if (FILE_MAGIC.subarray(0, file.length).equals(file) && file.length < FILE_MAGIC.length)
    return { entries: [], bytes: 0, dropped: nothing };
  requireMagic(path, file);
  const entries: Entry[] = [];
  let at = FILE_MAGIC.length;
  for (;;) {
    const end = endOfRecord(file, at);
    if (end === undefined) break;
    entries.push(entryOf(path, file.subarray(at + HEADER_BYTES, end), entries.length + 1));
    at = end;
  }
  return { entries, bytes: at, dropped: droppedFrom(file, at) };
}

/** Sentence on the dropped part of a journal; undefined without one. */
export function remarkOn(path: string, { entries, bytes, dropped }: Records): string | undefined {
  if (dropped.bytes === 0) return undefined;
  const used = `${counted(entries.length, 'record')} before it ${entries.length === 1 ? 'is' : 'are'} used`;
  if (dropped.isCut)
    return `The last record of ${path} is cut off, as the run was ended while it wrote it: 1 record is dropped and worked out again; ${used}.`;
  const behind = dropped.whole > 0 ? ` and ${counted(dropped.whole, 'whole record')} behind it` : '';
  return `${path} is damaged at byte ${bytes}: 1 damaged record${behind}, ${dropped.bytes} bytes, are dropped and worked out again; ${used}.`;
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

function requireMagic(path: string, file: Buffer): void {
  if (file.subarray(0, FILE_MAGIC.length).equals(FILE_MAGIC)) return;
  const version = /^gradsim journal (\S{1,9})\n/.exec(file.subarray(0, 40).toString('latin1'))?.[1];
  if (version !== undefined)
    throw new GradsimError(
      'gradsim/journal-format',
      `${path} has format ${version}, and this command reads format 1: the run was begun by another version of gradsim.`,
      { hint: 'Go on with that one, or begin anew in another folder.' },
    );
  throw new GradsimError('gradsim/journal-damaged', `${path} is no journal of gradsim: it does not begin as one.`, {
    hint: 'Begin anew in another folder, or remove the file to begin this run from its start.',
  });
}

/** End of a record that begins at a position, bytes; undefined if no intact record begins there. */
function endOfRecord(file: Buffer, at: number): number | undefined {
  if (at + HEADER_BYTES > file.length || !file.subarray(at, at + RECORD_MARK.length).equals(RECORD_MARK))
    return undefined;
  const end = at + HEADER_BYTES + file.readUInt32LE(at + RECORD_MARK.length);
  if (end > file.length) return undefined;
  const hash = digest(file.subarray(at + HEADER_BYTES, end)).subarray(0, 8);
  return hash.equals(file.subarray(at + RECORD_MARK.length + 4, at + HEADER_BYTES)) ? end : undefined;
}

/** Decodes the entry of an intact record. @throws if it holds none. */
function entryOf(path: string, content: Buffer, number: number): Entry {
  let entry: unknown;
  try {
    entry = deserialize(content);
  } catch {
    entry = undefined;
  }
  const { what, given } = (entry ?? {}) as Partial<Entry>;
  if (typeof what === 'string' && typeof given === 'string') return entry as Entry;
  throw new GradsimError(
    'gradsim/journal-damaged',
    `Record ${number} of ${path} is not one that this command wrote: it names no work.`,
    { hint: 'Begin anew with --force.' },
  );
}

function droppedFrom(file: Buffer, from: number): Records['dropped'] {
  let whole = 0;
  // Remaining bytes that may be hashed: a file of nothing but marks with long lengths would take for ever.
  let budget = 4 * file.length;
  for (let at = file.indexOf(RECORD_MARK, from); at !== -1 && budget > 0; ) {
    const end = endOfRecord(file, at);
    if (end !== undefined) whole++;
    if (at + HEADER_BYTES <= file.length) budget -= Math.min(file.readUInt32LE(at + RECORD_MARK.length), file.length);
    at = file.indexOf(RECORD_MARK, end ?? at + 1);
  }
  return { bytes: file.length - from, whole, isCut: whole === 0 && isCutAt(file, from) };
}

/** True if the file ends within the record that begins at a byte position. */
function isCutAt(file: Buffer, at: number): boolean {
  const mark = file.subarray(at, at + RECORD_MARK.length);
  if (!RECORD_MARK.subarray(0, mark.length).equals(mark)) return false;
  return (
    at + HEADER_BYTES > file.length || at + HEADER_BYTES + file.readUInt32LE(at + RECORD_MARK.length) > file.length
  );
}

const digest = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
