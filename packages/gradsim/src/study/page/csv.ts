/** Value of a trial in a column; null if it has none. */
export type Cell = number | string | boolean | null;

/** Line of CSV, without its end. */
export const csvLine = (cells: readonly Cell[]): string => cells.map(csvCell).join(',');

/** Cell of CSV: an empty text is in quotes, a missing one is nothing. */
function csvCell(cell: Cell): string {
  if (cell === '') return '""';
  const text = cell === null ? '' : String(cell);
  return /[",\n\r]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
