import { basename } from 'node:path';
import { openRecordedFile, type RecordedPart, readChosenTable } from '@gradsim/recordings/files';
import type { FileDescription, LookedFile } from './format.ts';
import { describeTable } from './tables.ts';

/** Parts that are listed, at most. */
const MOST_PARTS = 40;

/** A file of another program: its topics or episodes, and what is in the one that is asked for, or that alone is read. */
export async function describeRecorded({ path, bytes, part }: LookedFile): Promise<FileDescription> {
  const file = (await openRecordedFile(path, bytes()))!;
  const { title, format, partName, parts, remarks } = file;
  const read = parts.filter(({ rowContent }) => rowContent);
  const own = part === undefined && read.length === 1 ? read[0].name : part;
  const lines = [
    `${title}: ${parts.length} ${partName}${parts.length === 1 ? '' : 's'}`,
    ...parts.slice(0, MOST_PARTS).map(lineOf),
    ...(parts.length > MOST_PARTS ? [`and ${parts.length - MOST_PARTS} more`] : []),
    ...remarks,
  ];
  if (own === undefined)
    return {
      format,
      lines: read.length === 0 && parts.length > 0 ? [...lines, 'None of them is read.'] : lines,
      next: read.slice(0, MOST_PARTS).map(({ name }) => `npx gradsim look ${path} --topic ${quoted(name)}`),
    };
  const table = await readChosenTable(file, { name: basename(path), holds: 'columns', part: own });
  const named = parts.length > 1 ? `${path}#${own}` : path;
  const summary = describeTable(quoted(named), table, `readTableFile('${named}', 'tracks')`);
  return { ...summary, lines: [...lines, ...summary.lines], table };
}

const lineOf = ({ name, description, rowContent }: RecordedPart): string =>
  `${name}: ${description}${rowContent ? '' : ', not read'}`;

/** Argument of a command line, in quotes where a shell would take it apart. */
const quoted = (text: string): string =>
  /^[\w./@:+=~^-]+(?:#[\w./@:+=~^-]*)?$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
