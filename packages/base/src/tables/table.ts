import { GradsimError } from '../error.ts';
import { csvCell } from './csv-cell.ts';
import { type Heading, headingOf } from './headings.ts';
import { hasComma, hasPoint, isAbsent, looksNumeric, numberOf } from './numbers.ts';
import { isComment, type Row, type Separator, separatorOf, splitRows } from './rows.ts';
import { decodeText } from './text.ts';
import { looksLikeTime } from './time-texts.ts';
import { type Unit, unitOf } from './units.ts';

/** A table of text: its headings, and its lines of cells. */
export interface Table {
  /** Name of the file or text in messages. */
  readonly name: string;
  readonly headings: readonly Heading[];
  readonly rows: readonly Row[];
  /** Lines above the headings, comments included. */
  readonly preamble: readonly Row[];
  readonly separator: Separator;
  readonly decimalComma: boolean;
  /** Origin of a table that is no text, for people: `topic /joint_states, stamps of headers`. */
  readonly source?: string;
}

/** Input of readers of tables: text, the bytes of a file, or a table that is read already. */
export type TableInput = string | Uint8Array | Table;

/** Options of {@link readTable}. */
export interface ReadTableOptions {
  /** Name of the table in messages. Default `The table`. */
  readonly name?: string;
}

/** Maximum number of header rows. */
const MAX_HEADER_ROWS = 8;
/** Rows that must look like data where they begin. */
const MIN_DATA_ROWS = 3;

/**
 * Reads a table of text, whatever program wrote it. Cells end with commas, semicolons, tabs, bars or blanks, and may be
 * quoted; numbers may have decimal commas where a comma separates no cells, or are quoted. Headings are the last rows
 * before the first numbers: several where names span columns, with a row of units, or in a comment (`#timestamp [ns],x`).
 * Lines that begin with #, % or // are comments.
 *
 * ```ts
 * const table = readTable(await readFile('log.csv'), { name: 'log.csv' });
 * console.log(table.headings.map(({ name }) => name), table.rows.length);
 * ```
 * @param input text, the bytes of a file, UTF-8 or UTF-16, or a table, which is returned as it is.
 * @throws for bytes that are no text, and for a table in which decimal commas and points are mixed.
 */
export function readTable(input: TableInput, { name = 'The table' }: ReadTableOptions = {}): Table {
  if (typeof input !== 'string' && 'headings' in input) return input;
  const text = withDecimalPoint(decodeText(input, name));
  const separator = separatorOf(text);
  const all = splitRows(text, separator, name);
  const comments = new Set(all.filter(({ cells }) => isComment(cells[0])));
  const plain = all.filter((row) => !comments.has(row));
  const begin = firstDataRow(plain);
  const width = plain[begin]?.cells.length ?? plain.at(-1)?.cells.length ?? 0;
  const rows = plain.slice(begin);
  let from = begin;
  while (from > 0 && begin - from < MAX_HEADER_ROWS && isHeader(plain, from - 1, begin, width)) from--;
  const header = plain.slice(from, begin);
  const commented =
    from < begin ? undefined : lastComment(all, comments, plain[begin]?.line ?? Number.POSITIVE_INFINITY, text, width);
  const headings = commented ? commented.map((cell, at) => headingOf(cell, at)) : headingsOf(header);
  const heads = new Set(header);
  const end = rows[0]?.line ?? Number.POSITIVE_INFINITY;
  const preamble = all.filter((row) => row.line < end && !heads.has(row));
  return { name, headings, rows, preamble, separator, decimalComma: hasDecimalCommas(rows, name) };
}

/** Kinovea writes hundredths of seconds after a colon: `0:00:01:43`. */
const withDecimalPoint = (text: string): string =>
  /^\s*#\s*Kinovea/i.test(text) ? text.replace(/(\d:\d{2}:\d{2}):(\d{2,3})(?!\d)/g, '$1.$2') : text;

/**
 * Table of cells that other formats hold: a heading for each column, and a line for each row, counted from 1. A cell may be
 * a number, which is written with all of its digits, or undefined where there is no value.
 */
export function tableOf(
  titles: readonly string[],
  rows: Iterable<readonly (string | number | undefined)[]>,
  { name, source }: { readonly name: string; readonly source?: string },
): Table {
  const cell = (value: string | number | undefined): string => (value === undefined ? '' : String(value));
  return {
    name,
    headings: titles.map((title, at) => headingOf(title, at)),
    rows: Array.from(rows, (cells, k) => ({ cells: cells.map(cell), line: k + 1 })),
    preamble: [],
    separator: ',',
    decimalComma: false,
    ...(source === undefined ? {} : { source }),
  };
}

/** Text of a table as CSV (RFC 4180), which {@link readTable} reads again. */
export function formatTable({ headings, rows }: Pick<Table, 'headings' | 'rows'>): string {
  const lines = [headings.map(({ title }) => title), ...rows.map(({ cells }) => cells)];
  return lines.map((cells) => `${cells.map((cell) => csvCell(cell)).join(',')}\n`).join('');
}

/** Index of the first row of data: the first of several that hold numbers in half of their cells or more. */
function firstDataRow(rows: readonly Row[]): number {
  for (let k = 0; k < Math.min(rows.length, 200); k++)
    if (rows.slice(k, k + MIN_DATA_ROWS).every((row) => isData(row) && row.cells.length > 1)) return k;
  const first = rows.findIndex(isData);
  return first < 0 ? rows.length : first;
}

function isData({ cells }: Row): boolean {
  let [numbers, words] = [0, 0];
  for (const cell of cells)
    if (cell !== '') {
      if (looksNumeric(cell) || isAbsent(cell) || looksLikeTime(cell)) numbers++;
      else words++;
    }
  return numbers > 0 && numbers >= words;
}

/** True for a row above the data that names columns: it follows upon the next without a gap, and has several cells. */
function isHeader(rows: readonly Row[], k: number, begin: number, width: number): boolean {
  const { cells, line } = rows[k];
  if (k < begin - 1 && (rows[k + 1].line !== line + 1 || isData(rows[k]))) return false;
  const filled = cells.filter((cell) => cell !== '').length;
  return k === begin - 1 ? true : cells.length > 1 && filled > 1 && cells.length >= Math.min(width, 3) - 1;
}

/** Cells of the last comment before the data that has one for each column. */
function lastComment(
  all: readonly Row[],
  comments: ReadonlySet<Row>,
  before: number,
  text: string,
  width: number,
): string[] | undefined {
  const own = all.filter((row) => comments.has(row) && row.line < before).at(-1);
  if (!own) return undefined;
  const raw = text.split(/\r\n|\r|\n/, own.line)[own.line - 1].replace(/^[\s#%/]+/, '');
  for (const separator of [',', ';', '\t', ' '] as const) {
    const cells = splitRows(raw, separator)[0]?.cells ?? [];
    if (cells.length === width && width > 1 && cells.some((cell) => /[a-z]/i.test(cell))) return [...cells];
  }
  return undefined;
}

/** Headings of one header row or several; of several, a last one of units gives those. */
function headingsOf(rows: readonly Row[]): Heading[] {
  const isUnits = rows.length > 1 && isUnitRow(rows[rows.length - 1]);
  const named = isUnits ? rows.slice(0, -1) : rows;
  const last = named.at(-1);
  if (!last) return [];
  const count = Math.max(...rows.map(({ cells }) => cells.length));
  const spread = named.slice(0, -1).map(({ cells }) => fillSpannedCells(cells, count));
  return Array.from({ length: count }, (_, at) => {
    const own = last.cells[at] ?? '';
    const above = [...spread.map((cells) => cells[at]), own];
    // Of a column that the last row leaves empty, the one above it that does not.
    const title = own || named.map(({ cells }) => cells[at] ?? '').findLast((cell) => cell !== '') || '';
    return headingOf(title, at, above, isUnits ? (rows[rows.length - 1].cells[at] ?? '') : '');
  });
}

/** Cells of a header row in which an empty one continues the one before. */
function fillSpannedCells(cells: readonly string[], count: number): string[] {
  let own = '';
  return Array.from({ length: count }, (_, at) => {
    own = cells[at] || own;
    return own;
  });
}

/** True for a row in which every cell is a unit or stands in brackets. */
function isUnitRow({ cells }: Row): boolean {
  const filled = cells.filter((cell) => cell !== '');
  return filled.length > 0 && filled.every((cell) => /^\(.*\)$|^\[.*\]$/.test(cell) || unitOf(cell) !== undefined);
}

/** True if numbers have decimal commas. @throws where they have commas in some lines and points in others. */
function hasDecimalCommas(rows: readonly Row[], name: string): boolean {
  const find = (has: (cell: string) => boolean) => {
    for (const row of rows) {
      const cell = row.cells.find(has);
      if (cell !== undefined) return { cell, line: row.line };
    }
    return undefined;
  };
  const comma = find(hasComma);
  if (!comma) return false;
  const point = find(hasPoint);
  if (!point) return true;
  throw new GradsimError(
    'tables/decimals-mixed',
    `${name} has "${comma.cell}" in line ${comma.line} and "${point.cell}" in line ${point.line}: a comma and a point for decimals.`,
    { hint: 'Write one of them throughout, and no mark between thousands.' },
  );
}

/**
 * Returns the number of a cell; NaN for an empty one and one that says that there is no value.
 * @throws for what is no number, naming line, column and cell.
 */
export function numberIn(table: Table, row: Row, heading: Heading): number {
  const cell = row.cells[heading.column] ?? '';
  if (isAbsent(cell)) return Number.NaN;
  const value = numberOf(cell, table.decimalComma);
  if (Number.isFinite(value)) return value;
  throw new GradsimError('tables/not-a-number', `${table.name}, line ${row.line}: ${heading.title} is "${cell}".`, {
    field: heading.title,
    hint: 'It must be a number, without marks between thousands, or empty where there is no value.',
  });
}

/**
 * Unit of length that lines above the headings name, as those of Motive (`Length Units,Millimeters`) and TRC (a line of names
 * with `Units`, and one of values below it) do; undefined if none does.
 */
export function lengthUnitAbove({ preamble }: Table): Unit | undefined {
  for (const [k, { cells }] of preamble.entries()) {
    const at = cells.findIndex((cell) => /^(?:length )?units?$/i.test(cell));
    if (at < 0) continue;
    for (const text of [cells[at + 1], preamble[k + 1]?.cells[at]]) {
      const unit = unitOf(text ?? '');
      if (unit?.quantity === 'length') return unit;
    }
  }
  return undefined;
}

/**
 * Factor of coordinates to metres, and the name of their unit: by their headings, else by lines above them, else metres.
 * @throws for headings with different units, or with one that is none of length.
 */
export function lengthUnitOf(
  table: Table,
  axes: readonly Heading[],
): { readonly factor: number; readonly name: string; readonly isNamed: boolean } {
  const [first] = axes;
  const unit = first.unitText === undefined ? lengthUnitAbove(table) : first.unit;
  const isAlike = axes.every(({ unitText }) => unitText === first.unitText);
  if (!isAlike || (first.unitText !== undefined && unit?.quantity !== 'length'))
    throw new GradsimError(
      'tables/unit-unknown',
      `${table.name}: ${axes.map(({ title }) => title).join(', ')} are in ${axes.map(({ unitText }) => `"${unitText ?? 'no unit'}"`).join(', ')}.`,
      { field: first.title, hint: 'Give x, y and z in one unit of length: m, cm or mm.' },
    );
  return { factor: unit?.factor ?? 1, name: unit?.name ?? 'm', isNamed: unit !== undefined };
}
