import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Found, Row, RowOptions } from './row.ts';
import { rowOf } from './row.ts';

/** A table of the paper: a study whose trials are its instances, and the rows that their results make. */
export interface Table {
  readonly name: string;
  /** The module of the study, for `gradsim sweep`; of its settings `count` is how many instances there are of a row. */
  readonly study: URL;
  /** Instances of a row, in the whole table and in a quick one. */
  readonly count: number;
  readonly quickCount: number;
  readonly onlyDetermined: boolean;
  readonly rows: readonly Pick<RowOptions, 'row' | 'unknown' | 'published'>[];
}

/** A line of a study's results. */
interface Line {
  readonly settings: { readonly instance: number; readonly row: string };
  readonly ended: { readonly status: 'done'; readonly result: Found } | { readonly status: 'failed' };
}

/** Rows of a table from the results of the first `count` instances in a folder; instances that have not ended are not counted. */
export function rowsOf({ name, onlyDetermined, rows }: Table, folder: string, count: number): Row[] {
  const lines = linesOf(join(folder, 'results.jsonl')).filter(({ settings }) => settings.instance <= count);
  return rows.map((options) => {
    const own = lines.filter(({ settings }) => settings.row === options.row);
    const found = own.flatMap(({ ended }) => (ended.status === 'done' ? [ended.result] : []));
    return rowOf(found, own.length - found.length, { table: name, onlyDetermined, ...options });
  });
}

function linesOf(file: string): Line[] {
  if (!existsSync(file)) return [];
  const texts = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return texts.map((text) => JSON.parse(text) as Line);
}
