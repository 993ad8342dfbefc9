import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FileRefused, readBytes } from '@gradsim/base/files';
import type { Table, TableInput } from '@gradsim/base/tables';
import { textOf } from '@gradsim/base/text';
import { GradsimError } from '@gradsim/core';
import type { FileToOpen, RecordedFile, RecordedPart, RowContent } from './recorded.ts';

/** A format: how its bytes are known, and what opens it, which is loaded then. */
interface Format {
  readonly matches: (bytes: Uint8Array, name: string) => boolean;
  readonly open: (file: FileToOpen) => Promise<RecordedFile>;
}

const starts =
  (mark: string) =>
  (bytes: Uint8Array): boolean =>
    Array.from(mark).every((letter, k) => bytes[k] === letter.charCodeAt(0));

/** True for a document of XML that has a text in its first bytes. */
function begins(bytes: Uint8Array, mark: string): boolean {
  const head = textOf(bytes.subarray(0, HEAD_BYTES));
  return /^\s*</.test(head) && head.includes(mark);
}

const HEAD_BYTES = 512;

const FORMATS: readonly Format[] = [
  { matches: starts('\x89MCAP'), open: async (file) => (await import('./mcap/mcap.ts')).openMcap(file) },
  { matches: starts('PAR1'), open: async (file) => (await import('./parquet/parquet.ts')).openParquet(file) },
  {
    matches: (bytes, name) =>
      begins(bytes, 'org.opensourcephysics') || (starts('PK\x03\x04')(bytes) && /\.trz$/i.test(name)),
    open: async (file) => (await import('./xml/tracker.ts')).openTracker(file),
  },
  {
    matches: (bytes) => begins(bytes, '<KinoveaVideoAnalysis'),
    open: async (file) => (await import('./xml/kinovea.ts')).openKinovea(file),
  },
  {
    matches: (bytes, name) => /\.cmbl$/i.test(name) && begins(bytes, '<'),
    open: async (file) => (await import('./xml/logger-pro.ts')).openLoggerPro(file),
  },
];

/** True for a file of which {@link openRecorded} knows the format, by its first bytes and its name. */
export const isRecorded = (bytes: Uint8Array, name: string): boolean =>
  FORMATS.some(({ matches }) => matches(bytes, name));

/**
 * Opens a file of another program that holds tables: MCAP, Parquet, projects of Tracker, Kinovea and Logger Pro. Returns
 * undefined for one of another format, such as a table of text.
 *
 * ```ts
 * const file = await openRecorded({ name: 'run.mcap', bytes });
 * console.log(file?.parts.map(({ name, about }) => `${name}: ${about}`));
 * ```
 * @throws for a file that is damaged, and where a package that its format needs is not installed.
 */
export async function openRecorded(file: FileToOpen): Promise<RecordedFile | undefined> {
  return FORMATS.find(({ matches }) => matches(file.bytes, file.name))?.open(file);
}

/** Path of a file, and the part of it that is meant: `run.mcap#/joint_states`. An existing file is that file, whatever its name. */
export function splitPart(path: string): { readonly file: string; readonly part?: string } {
  const at = path.lastIndexOf('#');
  return at <= 0 || existsSync(path)
    ? { file: path }
    : { file: path.slice(0, at), part: path.slice(at + 1).replaceAll('\\', '/') };
}

/** Path with a part to be read, if it names none. */
export const filePartPath = (path: string, topic: string | undefined): string =>
  topic === undefined || splitPart(path).part !== undefined ? path : `${path}#${topic}`;

/** Opens a file by its path; undefined for one of a format without parts. */
export async function openRecordedFile(path: string, bytes: Uint8Array): Promise<RecordedFile | undefined> {
  const beside = async (other: string): Promise<Uint8Array | undefined> => {
    try {
      return await readBytes(join(dirname(path), other), { maxBytes: MAX_COMPANION_BYTES });
    } catch (error) {
      if (error instanceof FileRefused && error.kind === 'missing') return undefined;
      throw error;
    }
  };
  return openRecorded({ name: basename(path), bytes, readRelative: beside });
}

/** Most bytes of a file that another one is read with. */
const MAX_COMPANION_BYTES = 1e8;

/**
 * Reads what a reader of tables takes: the bytes of a file, or of a file with parts the table of the one that is named after
 * a `#`, or that alone fits.
 *
 * ```ts
 * const log = readJointLog(await readTableFile('run.mcap#/joint_states', 'joints'), robot, 'run.mcap');
 * ```
 * @throws FileRefused for a file that cannot be read, and GradsimError where no part fits or several do.
 */
export async function readTableFile(path: string, rowContent: RowContent): Promise<TableInput> {
  const { file, part } = splitPart(path);
  const bytes = await readBytes(file);
  const opened = await openRecordedFile(file, bytes);
  if (opened)
    return readChosenTable(opened, {
      name: basename(file),
      holds: rowContent,
      ...(part === undefined ? {} : { part }),
    });
  if (part === undefined) return bytes;
  throw new GradsimError('recordings/no-parts', `${basename(file)} has no parts of which "${part}" could be one.`, {
    hint: `Give it as ${file}.`,
  });
}

/** Name of a table in messages: that of the part it was taken from, else `fallback`. */
export const nameOf = (table: TableInput, fallback: string): string =>
  typeof table !== 'string' && 'headings' in table ? table.name : fallback;

/** Reads the table of a part: of the one that is named, else of the only one that fits. */
export function readChosenTable(
  { parts, partName }: RecordedFile,
  { name, holds, part }: { readonly name: string; readonly holds: RowContent; readonly part?: string },
): Promise<Table> {
  const list = (of: readonly RecordedPart[]): string =>
    of.length === 0
      ? 'none'
      : `${of
          .slice(0, 20)
          .map((own) => `${own.name} (${own.description})`)
          .join(', ')}${of.length > 20 ? ` and ${of.length - 20} more` : ''}`;
  if (part !== undefined) {
    const own = parts.find((one) => one.name === part);
    if (own) return own.table();
    throw new GradsimError('recordings/no-such-part', `${name} has no ${partName} "${part}".`, {
      field: part,
      hint: `It has ${list(parts)}.`,
    });
  }
  const fitting = parts.filter((own) => own.rowContent === holds || own.rowContent === 'columns');
  if (fitting.length === 1) return fitting[0].table();
  if (fitting.length === 0)
    throw new GradsimError('recordings/no-part-fits', `${name} has no ${partName} with ${holds}.`, {
      hint: `It has ${list(parts)}.`,
    });
  throw new GradsimError(
    'recordings/which-part',
    `${name} has ${fitting.length} ${partName}s with ${holds === 'columns' ? 'columns' : holds}: ${list(fitting)}.`,
    { hint: `Say which: ${name}#${fitting[0].name}, or --topic ${fitting[0].name}.` },
  );
}
