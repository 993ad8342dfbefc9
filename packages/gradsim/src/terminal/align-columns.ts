/** Characters of a line. */
const WIDTH = 100;
/** Least width of the first column. */
const LEAST = 24;

/**
 * Lines of a text table from rows of cells: the first column left-aligned, the others right-aligned, a rule below the
 * first row. Where lines would be longer than 100 characters, cells of the first column go on below.
 */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widthOf = (c: number): number => Math.max(...rows.map((row) => row[c].length));
  const others = rows[0].slice(1).map((_, c) => widthOf(c + 1));
  const rest = others.reduce((sum, width) => sum + width + 3, 0);
  const first = Math.min(widthOf(0), Math.max(LEAST, WIDTH - rest));
  const lines = rows.map(([name, ...cells]) => {
    const [head, ...more] = folded(name, first);
    const line = [head.padEnd(first), ...cells.map((cell, c) => cell.padStart(others[c]))].join('   ').trimEnd();
    return [line, ...more];
  });
  return [...lines[0], '─'.repeat(first + rest), ...lines.slice(1).flat()];
}

/** Lines of a cell, broken between words; lines after the first are indented. */
function folded(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1];
    const longer = lines.length > 1 || line !== '' ? `${line} ${word}` : word;
    if (longer.length <= width || line.trim() === '') lines[lines.length - 1] = longer;
    else lines.push(`  ${word}`);
  }
  return lines;
}
