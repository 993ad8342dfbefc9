import { GradsimError } from '../error.ts';
import { type Heading, headingOf } from './headings.ts';
import { type Row, splitRows } from './rows.ts';
import { decodeText } from './text.ts';

/** A sheet: a line of headings, and lines of cells that are texts or numbers. */
export interface Sheet {
  readonly headings: readonly Heading[];
  readonly rows: readonly Row[];
}

/** Marks between cells, of which the first that the headings have is the sheet's. */
const SEPARATORS = ['\t', ';', ',', '|'] as const;

/**
 * Reads a sheet whose first line has the headings, as spreadsheets save it, by whatever mark they put between cells: for
 * lists of things with names, where {@link readTable} is for numbers over time. Lines that begin with # are comments.
 *
 * ```ts
 * const { headings, rows } = readSheet('group;film;radius [cm]\nanna;a.mp4;9,8\n', 'class.csv');
 * ```
 * @param name of the file, for messages.
 * @throws for bytes that are no text, a sheet without lines, and a line of more cells than there are headings.
 */
export function readSheet(input: string | Uint8Array, name: string): Sheet {
  const text = decodeText(input, name);
  const first = text.split(/\r\n?|\n/).find((line) => line.trim() !== '' && !line.startsWith('#')) ?? '';
  const separator = SEPARATORS.find((mark) => first.includes(mark)) ?? ',';
  const [head, ...rows] = splitRows(text, separator, name).filter(({ cells }) => !cells[0].startsWith('#'));
  if (rows.length === 0)
    throw new GradsimError('tables/no-lines', `${name} has no lines below its headings.`, {
      hint: 'The first line names the columns, each other line is one thing.',
    });
  const headings = head.cells.map((title, at) => headingOf(title, at));
  for (const { cells, line } of rows) {
    const extra = cells.slice(headings.length).find((cell) => cell !== '');
    if (extra !== undefined)
      throw new GradsimError(
        'tables/too-many-cells',
        `${name}, line ${line}: "${extra}" has no heading; there are ${headings.length} headings and ${cells.length} cells.`,
        { hint: 'Put a cell that holds the mark between cells in quotes.' },
      );
  }
  return { headings, rows };
}
