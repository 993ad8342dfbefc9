import { suggestion } from '@gradsim/base';
import type { Sheet } from '@gradsim/base/tables';
import { GradsimError } from '@gradsim/core';
import type { Kind, Measures } from '@gradsim/kinds';

/** Headings of the column that names a line: who filmed it. */
const NAMES = ['group', 'name'];

/** A line of a sheet of films, with what was measured beside its film. */
export interface SheetLine {
  /** Number of the line in the file. */
  readonly line: number;
  /** Whose it is; undefined if the sheet does not say. */
  readonly group?: string;
  /** Texts of its measurements by name, with units; cells that are empty are left out. */
  readonly own: Readonly<Record<string, string>>;
}

/**
 * Lines of a sheet of films: a column a measure, whose unit may be in the heading, `radius [cm]`, or behind the number; a
 * column `group` or `name` says whose it is.
 * @param file name of the sheet, for messages.
 * @throws for a heading that is no measure.
 */
export function sheetLines(
  { headings, rows }: Sheet,
  file: string,
  { name: kind, measures }: Pick<Kind, 'name' | 'measures'>,
): SheetLine[] {
  const columns = headings.map(({ name, title, unitText }) => {
    if (NAMES.includes(name)) return { measure: undefined, unitText };
    const measure = measureOf(name, measures);
    if (measure !== undefined) return { measure, unitText };
    throw new GradsimError(
      'gradsim/unknown-column',
      `${file} has a column "${title}", which is nothing that ${kind} asks for. ${suggestion(title, Object.keys(measures))}`,
      {
        hint: `Its measures are ${Object.keys(measures).join(', ')}; a column group names the lines.`,
      },
    );
  });
  return rows.map(({ cells, line }) => {
    const own: Record<string, string> = {};
    let group: string | undefined;
    columns.forEach(({ measure, unitText }, at) => {
      const cell = cells[at] ?? '';
      if (cell === '') return;
      if (measure === undefined) group = cell;
      else own[measure] = withUnit(cell, unitText);
    });
    return { line, group, own };
  });
}

/** Name of the measure that a heading names, in whatever case and with whatever between its words. */
function measureOf(heading: string, measures: Measures): string | undefined {
  const letters = (text: string): string => text.toLowerCase().replace(/[\s_-]/g, '');
  const wanted = ['film', 'clip'].includes(heading) ? 'video' : letters(heading);
  return Object.keys(measures).find((name) => letters(name) === wanted);
}

/** A cell with the unit of its heading, unless it has one of its own. */
const withUnit = (cell: string, unit: string | undefined): string =>
  unit === undefined || /[a-z°%]\S*$/i.test(cell) ? cell : `${cell} ${unit}`;
