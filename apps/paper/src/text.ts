import type { Row } from './row.ts';

const HEAD = [
  'row',
  'unknown',
  'n',
  'determined',
  'median',
  'mean',
  'worst',
  'paper',
  'below it',
  'trusted',
  'seconds',
];

/** Rows as a table for a terminal. */
export function textOf(rows: readonly Row[]): string {
  const cells = [HEAD, ...rows.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  const lines = cells.map((row) =>
    row.map((cell, column) => (column < 2 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join('  '),
  );
  return [`${rows[0].table}`, ...lines].join('\n');
}

const cellsOf = (row: Row): string[] => [
  row.row,
  row.unknown,
  String(row.n),
  percent(row.determined),
  figure(row.median),
  figure(row.mean),
  figure(row.worst),
  figure(row.published),
  percent(row.belowPublished),
  percent(row.trusted),
  row.seconds.toFixed(1),
];

const figure = (value: number | null): string => (value === null ? '-' : value.toExponential(1));
const percent = (share: number | null): string => (share === null ? '-' : `${Math.round(100 * share)} %`);
