/*
 * Parsers from npm were tried first: Papa Parse is a script of the old kind (UMD), which a page cannot import without a
 * bundler; d3-dsv brings a command line and its three dependencies, csv-parse buffers and streams of Node.
 */

/** Splits CSV (RFC 4180) into lines of cells. A quoted cell may contain separators, line breaks, and doubled quotes. */
export function parseCsv(text: string, separator: string): string[][] {
  const lines: string[][] = [[]];
  const end = new RegExp(`[${separator}\\r\\n]`, 'g');
  for (let at = 0; at <= text.length; ) {
    let cell = '';
    if (text[at] === '"') {
      let close = text.indexOf('"', at + 1);
      while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
      if (close < 0) close = text.length;
      cell = text.slice(at + 1, close).replaceAll('""', '"');
      at = close + 1;
    }
    end.lastIndex = at;
    const next = end.exec(text)?.index ?? text.length;
    lines.at(-1)!.push(cell + text.slice(at, next));
    at = next + 1;
    if (text[next] === '\r' && text[next + 1] === '\n') at++;
    if (text[next] !== separator && next < text.length) lines.push([]);
  }
  return lines;
}

/** Formats one cell of CSV, with quotes where needed. */
export const csvCell = (value: string | number | undefined): string =>
  /["\n\r,]/.test(String(value ?? '')) ? `"${String(value).replaceAll('"', '""')}"` : String(value ?? '');
