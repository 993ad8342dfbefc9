import { dirname, resolve } from 'node:path';
import { readBytesSync } from '@gradsim/base/files';
import { readSheet } from '@gradsim/base/tables';
import { GradsimError } from '@gradsim/core';
import type { Kind, Measures } from '@gradsim/kinds';
import { splitPart } from '@gradsim/recordings/files';
import { hashOfFilm } from '../../experiment/record/record.ts';
import { hashOfFile } from '../../files/hash-of-file.ts';
import { measurementsFrom } from '../../new/measurements.ts';
import { messageOf } from '../../terminal/describe.ts';
import type { LineSettings } from './kind-study.ts';
import { sheetLines } from './sheet-lines.ts';
import { sheetQuestions } from './sheet-questions.ts';

/** Types of measures whose files count with their contents. */
const FILES: readonly unknown[] = ['file', 'camera', 'data'];

/**
 * Reads a sheet of films and what was measured beside each: a line a film, a column a measure, whose unit may be in the
 * heading, `radius [cm]`, or behind the number; a column `group` or `name` says whose it is. Empty cells are not measured.
 * Paths are relative to the sheet.
 *
 * @param given measurements of all lines, as of `--set`, which the sheet's own replace.
 * @param say called with questions about measurements that are not like those of other lines.
 * @throws for a heading that is no measure, and, naming all of them, for lines whose measurements are wrong or missing.
 */
export async function readLines(
  file: string,
  kind: Kind,
  given: Readonly<Record<string, string>>,
  say: (line: string) => void,
): Promise<LineSettings[]> {
  const { measures } = kind;
  const rows = sheetLines(readSheet(readBytesSync(file), file), file, kind);
  for (const question of sheetQuestions(rows, measures)) say(question);
  const lines: LineSettings[] = [];
  const wrong: string[] = [];
  for (const { line, group = `line ${line}`, own: texts } of rows) {
    const own = Object.fromEntries(
      Object.entries(texts).map(([measure, text]) => [
        measure,
        isPath(measure, measures) ? resolve(dirname(file), text) : text,
      ]),
    );
    try {
      const measured = await measurementsFrom(kind, { ...given, ...own });
      lines.push({ group, measured, sha256: await hashesOf(measured, measures) });
    } catch (error) {
      wrong.push(
        `  line ${line}${group === `line ${line}` ? '' : ` (${group})`}: ${messageOf(error).replaceAll('\n', '\n  ')}`,
      );
    }
  }
  if (wrong.length > 0)
    throw new GradsimError(
      'gradsim/sheet-wrong',
      `${file}: ${wrong.length} of ${rows.length} lines cannot be estimated; nothing was run.\n${wrong.join('\n')}`,
    );
  return lines;
}

const isPath = (measure: string, measures: Measures): boolean => FILES.includes(measures[measure].type);

async function hashesOf(measured: LineSettings['measured'], measures: Measures): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const [name, { type }] of Object.entries(measures)) {
    const path = measured[name];
    if (typeof path !== 'string' || !FILES.includes(type)) continue;
    hashes[name] = type === 'file' ? await hashOfFilm(path) : await hashOfFile(splitPart(path).file);
  }
  return hashes;
}
