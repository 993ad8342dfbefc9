import { GradsimError } from '../error.ts';
import { parse } from './csv-library.ts';
import { isAbsent, looksNumeric } from './numbers.ts';
import { looksLikeTime } from './time-texts.ts';

/** A line of a table. */
export interface Row {
  readonly cells: readonly string[];
  /** Number of its line in the file, from 1. */
  readonly line: number;
}

/** Mark between cells; a blank stands for any number of blanks. */
export type Separator = '\t' | ';' | ',' | '|' | ' ';

/** In the order of preference: a mark of decimals, which a comma can be, separates last. */
const SEPARATORS: readonly Separator[] = ['\t', ';', ',', '|', ' '];
/** Lines by which the separator is found. */
const SAMPLE_LINES = 200;
/** Part of these lines that must have as many cells as most. */
const MIN_EQUAL_ROWS = 0.8;

/**
 * Splits a text into lines of cells, without blank ones; cells may be quoted (RFC 4180).
 * @param name of the table, for the message on a quote that is never closed; without one such a text is split as it may be.
 */
export function splitRows(text: string, separator: Separator, name?: string): Row[] {
  const source = text.replace(/\r\n?/g, '\n');
  if (separator === ' ')
    return source
      .split('\n')
      .map((line, k) => ({ cells: line.trim().split(/\s+/).map(unquoted), line: k + 1 }))
      .filter(({ cells }) => cells[0] !== '' || cells.length > 1);
  // Blanks before a quote would make it a part of the cell.
  const plain = source.includes('"')
    ? source.replace(new RegExp(`(^|[${separator}\\n])[ ]{1,8}"`, 'g'), '$1"')
    : source;
  const { data, errors } = parse<string[]>(plain, { delimiter: separator, newline: '\n', header: false });
  const open = errors.find(({ type }) => type === 'Quotes')?.row;
  const rows: Row[] = [];
  let line = 1;
  for (const [k, cells] of data.entries()) {
    if (k === open && name !== undefined)
      throw new GradsimError(
        'tables/quote-open',
        `${name}, line ${line}: a cell begins with a quote that does not end it.`,
        {
          hint: 'Close the quote, or write two where one is meant.',
        },
      );
    const trimmed = cells.map((cell) => cell.trim());
    if (trimmed.some((cell) => cell !== '')) rows.push({ cells: trimmed, line });
    line += 1 + cells.reduce((count, cell) => count + (cell.includes('\n') ? cell.split('\n').length - 1 : 0), 0);
  }
  return rows;
}

const unquoted = (cell: string): string => cell.replace(/^"(.*)"$/, '$1');

/**
 * Finds the separator: the one by which the lines at the end of the beginning, where headings are over, have the same number
 * of cells, two or more, and most of these are numbers.
 */
export function separatorOf(text: string): Separator {
  const lines = firstLines(text, SAMPLE_LINES);
  const body = lines.slice(Math.min(Math.floor(lines.length / 2), 20));
  const sample = body.length > 0 ? body : lines;
  let best: { readonly separator: Separator; readonly numbers: number } | undefined;
  for (const separator of SEPARATORS) {
    const rows = splitRows(sample.join('\n'), separator);
    const counts = rows.map(({ cells }) => cells.length);
    const usual = mostFrequent(counts);
    if (usual < 2 || counts.filter((count) => count === usual).length < MIN_EQUAL_ROWS * sample.length) continue;
    const cells = rows.flatMap((row) => row.cells);
    const numbers =
      cells.filter((cell) => looksNumeric(cell) || isAbsent(cell) || looksLikeTime(cell)).length / cells.length;
    if (!best || numbers > best.numbers + 1e-9) best = { separator, numbers };
  }
  return best?.separator ?? SEPARATORS.find((separator) => lines[0]?.includes(separator)) ?? ',';
}

/** The first lines that are neither blank nor a comment. */
function firstLines(text: string, count: number): string[] {
  const found: string[] = [];
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    if (line.trim() === '' || isComment(line)) continue;
    found.push(line);
    if (found.length === count) break;
  }
  return found;
}

/** True for a line that begins with #, % or //. */
export const isComment = (line: string): boolean => /^\s*"?(?:#|%|\/\/)/.test(line);

function mostFrequent(counts: readonly number[]): number {
  const times = new Map<number, number>();
  for (const count of counts) times.set(count, (times.get(count) ?? 0) + 1);
  return [...times].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0])[0];
}
