import { type Unit, unitOf } from './units.ts';

/** Heading of a column. */
export interface Heading {
  /** Index of its cells. */
  readonly column: number;
  /** As the file has it; of several header rows the last that names it. */
  readonly title: string;
  /** Its cells in all header rows, from the top; a cell that spans columns is in each of them. */
  readonly headerCells: readonly string[];
  /** Title without unit, in lower case. */
  readonly name: string;
  /** Text of its unit, as in `x [mm]`, `t/ms` and a row of units; undefined if it has none. */
  readonly unitText?: string;
  /** The unit, where it is known. */
  readonly unit?: Unit;
}

/** Parses a heading with its unit in brackets, after a slash, `in` or a comma: `x [mm]`, `t (ms)`, `t/ms`, `x, mm`. */
export function headingOf(title: string, column: number, above: readonly string[] = [title], unitRow = ''): Heading {
  const plain = title.replace(/^[#%\s]+/, '').trim();
  const found = splitUnit(plain);
  const text = unitRow === '' ? found.unitText : unitRow.replace(/^[[(]|[\])]$/g, '').trim();
  const unit = text === undefined ? undefined : unitOf(text);
  return {
    column: column,
    title,
    headerCells: above,
    name: (unitRow === '' ? found.bare : plain).trim().toLowerCase(),
    ...(text === undefined ? {} : { unitText: text }),
    ...(unit ? { unit } : {}),
  };
}

function splitUnit(title: string): { readonly bare: string; readonly unitText?: string } {
  const close = title.at(-1);
  const open = close === ']' ? title.lastIndexOf('[') : close === ')' ? title.lastIndexOf('(') : -1;
  if (open > 0) {
    const text = title.slice(open + 1, -1).trim();
    // An index, as in position[0], is no unit.
    return /^\d+$/.test(text) ? { bare: title } : { bare: title.slice(0, open).replace(/\/\s*$/, ''), unitText: text };
  }
  for (const mark of [', ', ' in ', '/']) {
    const from = title.lastIndexOf(mark);
    const text = from > 0 ? title.slice(from + mark.length).trim() : '';
    // The last letter of a path is a name rather than a unit.
    const isPath = mark === '/' && title.indexOf('/') < from;
    if (text !== '' && !isPath && unitOf(text) !== undefined) return { bare: title.slice(0, from), unitText: text };
  }
  return { bare: title };
}

/** Takes a unit off the end of a name, as in `angle_elbow_deg`; a single letter may be something else. */
export function withUnitAtEnd(heading: Heading, isUnit: (unit: Unit, text: string) => boolean): Heading {
  if (heading.unitText !== undefined) return heading;
  const [, text] = /[\s_.-]([a-z°µ]+)$/.exec(heading.name) ?? [];
  const unit = text === undefined ? undefined : unitOf(text);
  if (unit === undefined || unit.quantity === 'none' || !isUnit(unit, text)) return heading;
  return { ...heading, name: heading.name.slice(0, -text.length - 1), unit, unitText: text };
}

/** Words of a name or a path of names: `field.pose.position.x` and `/pose/position/x` have four and three. */
export const wordsOf = (name: string): string[] =>
  name
    .toLowerCase()
    .replace(/([a-z])(\d+)$/, '$1 $2')
    .split(/[\s_./:[\]()-]+/)
    .filter((word) => word !== '');
