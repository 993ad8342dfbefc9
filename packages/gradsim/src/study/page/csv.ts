import { csvCell } from '@gradsim/base/tables';

/** Value of a trial in a column; null if it has none. */
export type Cell = number | string | boolean | null;

/** Line of CSV, without its end. */
export const csvLine = (cells: readonly Cell[]): string => cells.map(formatCell).join(',');

/** Cell of CSV: an empty text is in quotes, a missing one is nothing. */
function formatCell(cell: Cell): string {
  const text = cell === null ? '' : String(cell);
  return csvCell(text, cell === '' || /^\s|\s$/.test(text));
}
