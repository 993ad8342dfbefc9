import { type Heading, type Table, timeHeading, withUnitAtEnd } from '@gradsim/base/tables';
import { GradsimError } from '@gradsim/core';

/** Columns of a table of markers. */
export interface MarkerColumns {
  readonly time?: Heading;
  readonly frame?: Heading;
  /** Column that names the marker, of tables with a line for each; undefined where markers have columns of their own. */
  readonly marker?: Heading;
  /** Columns x, y, z of each marker, by name; of tables with a line for each marker of all, by the name ''. */
  readonly places: ReadonlyMap<string, readonly [Heading, Heading, Heading]>;
}

const AXES = ['x', 'y', 'z'] as const;
const MARKER_TITLES = ['marker', 'name', 'label', 'marker name', 'marker_id', 'id'];
const FRAME_TITLES = ['frame', 'frame#', 'frame number'];
/** Name of a coordinate of a marker in one header row: `tip_x`, `tip.x`, `x_tip`, `X1`. */
const COORDINATE_TITLE = /^(?:(.+)(?<=[\s_.:-])([xyz])|([xyz])[\s_.:-](.+)|([xyz])(\d+))$/s;
const SEPARATORS_AROUND = /^[\s_.:-]+|(?<![\s_.:-])[\s_.:-]+$/g;

/**
 * Finds the columns of markers, in a table with a line for each marker in each frame (`marker`, `x`, `y`, `z`) or with columns
 * for each marker: named in a header row above that of the axes (Motive, Vicon, TRC), or in one row (`tip_x`, `tip_y`, `tip_z`).
 * @throws naming the columns that are missing.
 */
export function markerColumns(table: Table, frameRate: number | undefined): MarkerColumns {
  const { name } = table;
  const headings = table.headings.map((heading) => withUnitAtEnd(heading, ({ quantity }) => quantity === 'length'));
  const named = (names: readonly string[]) => headings.find((heading) => names.includes(heading.name));
  const time = timeHeading(table);
  const frame = named(FRAME_TITLES);
  const marker = named(MARKER_TITLES);
  const wide = marker ? new Map() : columnsPerMarker(headings);
  const axes = AXES.map((axis) => named([axis]));
  const places = wide.size > 0 ? wide : new Map([['', axes as [Heading, Heading, Heading]]]);
  const missing = [
    ...(time || frame ? [] : ['time or frame']),
    ...(wide.size > 0 || marker ? [] : ['marker']),
    ...(wide.size > 0 ? [] : AXES.filter((_, k) => !axes[k])),
  ];
  if (missing.length > 0)
    throw new GradsimError('markers/column-missing', `${name} has no column ${missing.join(', ')}.`, {
      hint: `Its first line must name them, as in frame,marker,x,y,z; it names ${headings.map(({ title }) => title).join(', ') || 'nothing'}.`,
    });
  if (!time && frameRate === undefined)
    throw new GradsimError('markers/frame-rate-missing', `${name} has no column time.`, {
      hint: 'Give the frames a second, as frameRate.',
    });
  return { time, frame, marker: wide.size > 0 ? undefined : marker, places };
}

/** Columns of markers that have their own, by name. */
function columnsPerMarker(headings: readonly Heading[]): Map<string, [Heading, Heading, Heading]> {
  const found = new Map<string, (Heading | undefined)[]>();
  for (const heading of headings) {
    const { marker, axis } = coordinateOf(heading) ?? {};
    if (marker === undefined || axis === undefined) continue;
    const own = found.get(marker) ?? [];
    own[AXES.indexOf(axis)] ??= heading;
    found.set(marker, own);
  }
  const whole = [...found].filter((entry): entry is [string, [Heading, Heading, Heading]] =>
    AXES.every((_, k) => entry[1][k] !== undefined),
  );
  return new Map(whole);
}

function coordinateOf({
  name,
  headerCells: above,
}: Heading): { readonly marker: string; readonly axis: (typeof AXES)[number] } | undefined {
  const [, axis] = /^([xyz])\d*$/.exec(name) ?? [];
  if (above.length > 1 && axis !== undefined) {
    const kinds = above.map((cell) => cell.trim().toLowerCase());
    // Of Motive, markers alone: not the bodies that they make up, nor where those put them.
    const isTyped = kinds.some((cell) => cell === 'rigid body' || cell === 'bone' || cell === 'rigid body marker');
    const typed = kinds[0] === 'marker' ? above[1] : above[above.length - 2];
    if (isTyped || typed === '') return undefined;
    return { marker: typed.replace(/^.*:/, ''), axis: axis as 'x' };
  }
  const [, before, last, first, after, only, number] = COORDINATE_TITLE.exec(name) ?? [];
  const marker = (before ?? after ?? number)?.replaceAll(SEPARATORS_AROUND, '');
  return !marker ? undefined : { marker, axis: (last ?? first ?? only) as 'x' };
}
