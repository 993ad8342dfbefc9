import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A column of a table printed to a terminal. */
export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => string;
}

/** A trial of a study: its settings, and its result; null if it failed. */
export interface Trial<Settings, Found> {
  readonly settings: Settings;
  readonly found: Found | null;
}

/**
 * A table of results: a study whose trials are the table's instances, and the function that turns results into rows.
 */
export interface Table<Settings extends { readonly instance: number } = never, Found = never, Row = unknown> {
  readonly name: string;
  /** Module of the study for `gradsim sweep`; its setting `count` is the number of instances per row. */
  readonly study: URL;
  /** Number of instances per row, in the full table and in a quick one. */
  readonly count: number;
  readonly quickCount: number;
  rowsOf(trials: readonly Trial<Settings, Found>[]): Row[];
  readonly columns: readonly Column<Row>[];
}

/** A table without the types of its study and rows. */
export interface AnyTable extends Pick<Table, 'name' | 'study' | 'count' | 'quickCount'> {
  /**
   * Returns rows and their text from the results in a folder, for instances up to `count`; unfinished trials are left
   * out.
   */
  readonly rowsIn: (folder: string, count: number) => { readonly rows: readonly object[]; readonly text: string };
}

/** Makes a table that reads the results of its study from a folder. */
export function defineTable<Settings extends { readonly instance: number }, Found, Row extends object>({
  rowsOf,
  columns,
  ...table
}: Table<Settings, Found, Row>): AnyTable {
  return {
    ...table,
    rowsIn: (folder, count) => {
      const trials = trialsIn<Settings, Found>(folder).filter(({ settings }) => settings.instance <= count);
      const rows = rowsOf(trials);
      return { rows, text: textOf(table.name, rows, columns) };
    },
  };
}

/** A line of a study's results file. */
interface Line<Settings, Found> {
  readonly settings: Settings;
  readonly ended: { readonly status: 'done'; readonly result: Found } | { readonly status: 'failed' };
}

/** Reads the trials of a study from its folder; unfinished ones are left out. */
export function trialsIn<Settings, Found>(folder: string): Trial<Settings, Found>[] {
  const file = join(folder, 'results.jsonl');
  if (!existsSync(file)) return [];
  // What follows the last line is still being written.
  const texts = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return texts.map((text) => {
    const { settings, ended } = JSON.parse(text) as Line<Settings, Found>;
    return { settings, found: ended.status === 'done' ? ended.result : null };
  });
}

/** Formats rows for the terminal, under the name of their table. */
export function textOf<Row>(name: string, rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const cells = [columns.map(({ head }) => head), ...rows.map((row) => columns.map(({ cell }) => cell(row)))];
  const widths = columns.map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  const lines = cells.map((row) =>
    row.map((cell, column) => (column < 2 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join('  '),
  );
  return [name, ...lines].join('\n');
}

/** Formats an error for the terminal, in scientific notation; null as `-`. */
export const figure = (value: number | null): string => (value === null ? '-' : value.toExponential(1));

/** Formats a fraction for the terminal, in per cent; null as `-`. */
export const percent = (share: number | null): string => (share === null ? '-' : `${Math.round(100 * share)} %`);
