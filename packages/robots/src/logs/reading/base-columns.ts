import { type Heading, numberIn, readTable, type Table, type TableInput, wordsOf } from '@gradsim/base/tables';
import { GradsimError } from '@gradsim/core';

/** Pose of a floating base in each sample: position, m, and orientation from its axes to the world's, x, y, z, w. */
export interface BasePoses {
  readonly position: readonly (readonly number[])[];
  readonly orientation: readonly (readonly number[])[];
}

const POSITION = ['x', 'y', 'z'];
const ORIENTATION = ['qx', 'qy', 'qz', 'qw'];
/** Words of columns that say whether a foot touches: 0 in the air. */
const TOUCHES = ['contact', 'contacts', 'touch', 'touches'];
/** Greatest deviation of a quaternion's length from 1. */
const UNIT = 0.05;

const baseHeading = ({ headings }: Table, of: string): Heading | undefined =>
  headings.find(({ name }) => {
    const words = wordsOf(name);
    return words[0] === 'base' && words.slice(1).join('') === of;
  });

/** True if a table of a log has a column of the pose of a base. */
export const hasBase = (input: TableInput, name: string): boolean =>
  baseHeading(readTable(input, { name }), 'x') !== undefined;

/** True for a column that says whether a foot touches. */
const isTouch = ({ name }: Heading): boolean => wordsOf(name).some((word) => TOUCHES.includes(word));

/**
 * Reads the pose of the base, and the samples in which a column of a contact is not 0; nothing from a table without.
 * @throws for some of the columns of a pose, and for quaternions that are none.
 */
export function readBase(
  table: Table,
  rows: Table['rows'],
): { readonly base?: BasePoses; readonly touches?: readonly boolean[] } {
  if (!hasBase(table, table.name)) return {};
  const found = [...POSITION, ...ORIENTATION].map((of) => baseHeading(table, of));
  const missing = [...POSITION, ...ORIENTATION].filter((_, k) => found[k] === undefined);
  if (missing.length > 0)
    throw new GradsimError(
      'robots/log-column-missing',
      `${table.name} has no column for ${missing.map((of) => `base_${of}`).join(', ')}.`,
      { hint: 'A base has base_x, base_y, base_z (m) and base_qx, base_qy, base_qz, base_qw.' },
    );
  const columnOf = (heading: Heading): number[] =>
    rows.map((row) => {
      const value = numberIn(table, row, heading);
      if (!Number.isNaN(value)) return value * (heading.unit?.factor ?? 1);
      throw new GradsimError(
        'robots/log-not-a-number',
        `${table.name}, line ${row.line}: ${heading.title} is "${row.cells[heading.column] ?? ''}".`,
        { field: heading.title, hint: 'It must be a number. Remove the line, or split the recording there.' },
      );
    });
  const all = found.map((heading) => columnOf(heading!));
  const [position, orientation] = [all.slice(0, 3), all.slice(3)];
  const odd = rows.findIndex((_, s) => Math.abs(Math.hypot(...orientation.map((of) => of[s])) - 1) > UNIT);
  if (odd >= 0)
    throw new GradsimError(
      'robots/log-no-rotation',
      `${table.name}, line ${rows[odd].line}: base_qx to base_qw are (${orientation.map((of) => of[odd]).join(', ')}), which is no rotation.`,
      { field: 'base_qx', hint: 'Give a quaternion of length 1, w last.' },
    );
  const feet = table.headings.filter(isTouch).map(columnOf);
  return {
    base: { position, orientation },
    ...(feet.length > 0 && { touches: rows.map((_, s) => feet.some((of) => of[s] !== 0)) }),
  };
}
