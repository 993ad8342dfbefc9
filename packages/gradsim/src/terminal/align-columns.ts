/**
 * Lines of a text table from rows of cells: the first column left-aligned, the others right-aligned, a rule below the
 * first row.
 */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0].map((_, c) => Math.max(...rows.map((row) => row[c].length)));
  const lines = rows.map((row) =>
    row
      .map((cell, c) => (c === 0 ? cell.padEnd(widths[c]) : cell.padStart(widths[c])))
      .join('   ')
      .trimEnd(),
  );
  return [lines[0], '─'.repeat(widths.reduce((a, b) => a + b + 3, -3)), ...lines.slice(1)];
}
