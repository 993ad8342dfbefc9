import { dirname, resolve } from 'node:path';
import { suggestion } from '@gradsim/base';
import { readBytesSync } from '@gradsim/base/files';
import { readSheet } from '@gradsim/base/tables';
import { GradsimError } from '@gradsim/core';
import type { Kind, Measures } from '@gradsim/kinds';
import { withoutPart } from '@gradsim/recordings/files';
import { hashOfFilm } from '../../experiment/record/record.ts';
import { hashOfFile } from '../../files/hash-of-file.ts';
import { measurementsFrom } from '../../new/measurements.ts';
import { messageOf } from '../../terminal/describe.ts';
import type { LineSettings } from './kind-study.ts';

/** Headings of the column that names a line: who filmed it. */
const NAMES = ['group', 'name'];
/** Types of measures whose files count with their contents. */
const FILES: readonly unknown[] = ['file', 'camera', 'data'];

/**
 * Reads a sheet of films and what was measured beside each: a line a film, a column a measure, whose unit may be in the
 * heading, `radius [cm]`, or behind the number; a column `group` or `name` says whose it is. Empty cells are not measured.
 * Paths are relative to the sheet.
 *
 * @param given measurements of all lines, as of `--set`, which the sheet's own replace.
 * @throws for a heading that is no measure, and, naming all of them, for lines whose measurements are wrong or missing.
 */
export async function readLines(
  file: string,
  kind: Kind,
  given: Readonly<Record<string, string>>,
): Promise<LineSettings[]> {
  const { measures } = kind;
  const { headings, rows } = readSheet(readBytesSync(file), file);
  const columns = headings.map(({ name, title, unitText }) => {
    if (NAMES.includes(name)) return { measure: undefined, unitText };
    const measure = measureOf(name, measures);
    if (measure !== undefined) return { measure, unitText };
    throw new GradsimError(
      'gradsim/unknown-column',
      `${file} has a column "${title}", which is nothing that ${kind.name} asks for. ${suggestion(title, Object.keys(measures))}`,
      {
        hint: `Its measures are ${Object.keys(measures).join(', ')}; a column group names the lines.`,
      },
    );
  });
  const lines: LineSettings[] = [];
  const wrong: string[] = [];
  for (const { cells, line } of rows) {
    const own: Record<string, string> = {};
    let group = `line ${line}`;
    columns.forEach(({ measure, unitText }, at) => {
      const cell = cells[at] ?? '';
      if (cell === '') return;
      if (measure === undefined) group = cell;
      else own[measure] = isPath(measure, measures) ? resolve(dirname(file), cell) : withUnit(cell, unitText);
    });
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

/** Name of the measure that a heading names, in whatever case and with whatever between its words. */
function measureOf(heading: string, measures: Measures): string | undefined {
  const letters = (text: string): string => text.toLowerCase().replace(/[\s_-]/g, '');
  const wanted = ['film', 'clip'].includes(heading) ? 'video' : letters(heading);
  return Object.keys(measures).find((name) => letters(name) === wanted);
}

/** A cell with the unit of its heading, unless it has one of its own. */
const withUnit = (cell: string, unit: string | undefined): string =>
  unit === undefined || /[a-z°%]\S*$/i.test(cell) ? cell : `${cell} ${unit}`;

async function hashesOf(measured: LineSettings['measured'], measures: Measures): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const [name, { type }] of Object.entries(measures)) {
    const path = measured[name];
    if (typeof path !== 'string' || !FILES.includes(type)) continue;
    hashes[name] = type === 'file' ? await hashOfFilm(path) : await hashOfFile(withoutPart(path).file);
  }
  return hashes;
}
