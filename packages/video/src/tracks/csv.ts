import { describeValue, GradsimError, refuseUnknownOptions, refuseWrongType } from '@gradsim/base';
import {
  csvCell,
  type Heading,
  isAbsent,
  numberIn,
  type Row,
  readClock,
  readTable,
  type Table,
  type TableInput,
  timeHeading,
} from '@gradsim/base/tables';
import type { Track, TrackPoint } from './track.ts';

const COLUMNS = ['track', 'frame', 'time', 'x', 'y', 'area', 'areaError'] as const;

/**
 * Formats tracks as CSV with a line for each point: `track,frame,time,x,y,area,areaError`. Times are in seconds,
 * positions in pixels from the upper left corner of the picture, areas in square pixels.
 *
 * @example
 * await writeFile('tracks.csv', formatTracks(trackBlobs(masks)));
 */
export function formatTracks(tracks: readonly Track[]): string {
  const rows = tracks.flatMap(({ name, points }) =>
    points.map(({ frame, time, x, y, area, areaError }) => [
      name,
      ...[frame, time, x, y, area, areaError].map((value) => value && Number(value.toPrecision(9))),
    ]),
  );
  return [COLUMNS, ...rows].map((row) => `${row.map((cell) => csvCell(String(cell ?? ''))).join(',')}\n`).join('');
}

/** Options of {@link readTracks}. */
export interface ReadTracksOptions {
  /**
   * Frames per second, to compute frame numbers from times or times from frame numbers. Needed if one of these columns
   * is missing.
   */
  frameRate?: number;
  /** Height of the picture in pixels, given if y counts upwards from its bottom edge, as in Tracker's default axes. */
  upFrom?: number;
  /** Name of the file in messages. */
  name?: string;
}

type Column = (typeof COLUMNS)[number] | 'likelihood';

/** Accepted column names, in lower case without spaces, underscores and #, and the column that each stands for. */
const NAMES: ReadonlyMap<string, Column> = new Map<string, Column>([
  ...COLUMNS.map((name): [string, Column] => [name.toLowerCase(), name]),
  ...Object.entries({
    t: 'time',
    seconds: 'time',
    id: 'track',
    object: 'track',
    label: 'track',
    trackid: 'track',
    cx: 'x',
    cy: 'y',
    centroidx: 'x',
    centroidy: 'y',
    framenumber: 'frame',
    likelihood: 'likelihood',
  } satisfies Record<string, Column>),
]);

/**
 * Reads tracks from CSV, as {@link formatTracks} writes it and as Tracker, TrackMate, DeepLabCut and programs with OpenCV
 * export it. There must be columns `x` and `y`, in pixels, and `frame`, `time` (or `t`), or both; `track` (or `id`) and
 * `area`, in square pixels, are optional; other columns are ignored. Several points per line have columns such as
 * `x1,y1,x2,y2` or `left_x,left_y`, or names in a row above those of the axes. Separators, decimal commas, encodings and
 * units of time are as in all tables. A point without x or y was not seen in that frame, nor was one whose `likelihood`
 * (DeepLabCut) is below 0.6.
 *
 * @example
 * const [ball] = readTracks(await readFile('ball.csv'), { frameRate: 120 });
 *
 * @param input text, the bytes of a file, or a table that is read already.
 * @throws GradsimError naming the line, the column and the value.
 */
export function readTracks(input: TableInput, options: ReadTracksOptions = {}): Track[] {
  refuseUnknownOptions('readTracks', options, { frameRate: true, upFrom: true, name: true });
  const { frameRate, upFrom, name = 'The CSV' } = options;
  for (const [option, value] of Object.entries({ frameRate, upFrom }))
    if (value !== undefined && !(Number.isFinite(value) && value > 0))
      throw new GradsimError('video/option-out-of-range', `readTracks: ${option} is ${describeValue(value)}.`, {
        field: option,
        hint: 'It must be a number above 0.',
      });
  refuseWrongType('readTracks: name', name, 'a text', typeof name === 'string');
  const table = readTable(input, { name });
  const groups = groupsOf(table.headings);
  if (groups.length === 0)
    throw new GradsimError(
      'video/track-column-missing',
      `${name} has no line with the names of columns, x and y among them.`,
      { field: name, hint: 'A table of tracks begins with such a line: `frame,time,x,y`.' },
    );
  const [{ columns }] = groups;
  const metric = ['x', 'y'].map((axis) => columns.get(axis as Column)!).find(({ unit }) => unit?.quantity === 'length');
  if (metric)
    throw new GradsimError('video/track-unit', `${name}: ${metric.title} is a length; tracks are in pixels.`, {
      field: metric.title,
      hint: 'Export them in pixels, from the left and upper edge of the picture.',
    });
  const time = timeHeading(table);
  if (!columns.has('frame') && !time)
    throw new GradsimError('video/track-column-missing', `${name} has neither a column frame nor a column time.`);
  if (!(columns.has('frame') && time) && frameRate === undefined)
    throw new GradsimError(
      'video/frame-rate-missing',
      `${name} has a column ${columns.has('frame') ? 'frame and none time' : 'time and none frame'}.`,
      { field: name, hint: 'Give the frames a second, as frameRate.' },
    );
  const seconds = secondsOf(table, time);
  const tracks = new Map<string, TrackPoint[]>();
  const readPoint = (row: Row, { columns, name: own }: Group): void => {
    const where = `${name}, line ${row.line}`;
    const value = (column: Column): number | undefined => {
      const heading = columns.get(column);
      const number = heading ? numberIn(table, row, heading) : Number.NaN;
      return Number.isNaN(number) ? undefined : number;
    };
    const [x, y] = [value('x'), value('y')];
    if (x === undefined || y === undefined || (value('likelihood') ?? 1) < MIN_LIKELIHOOD) return;
    const track = row.cells[columns.get('track')?.column ?? -1] ?? own;
    const point = pointAt({ frame: value('frame'), time: seconds.get(row) }, frameRate, where);
    const area = value('area');
    if (area !== undefined && !(area > 0))
      throw new GradsimError('video/track-value', `${where}: area is ${area}.`, { hint: 'It must be above 0.' });
    const areaError = value('areaError');
    const points = tracks.get(track) ?? [];
    if (points.length > 0 && points.at(-1)!.frame >= point.frame)
      throw new GradsimError(
        'video/frames-out-of-order',
        `${where}: frame ${point.frame} of the track ${track} comes after frame ${points.at(-1)!.frame}.`,
        { hint: 'Frames must ascend.' },
      );
    tracks.set(track, points);
    points.push({
      ...point,
      x,
      y: upFrom === undefined ? y : upFrom - y,
      ...(area === undefined ? {} : { area }),
      ...(areaError === undefined ? {} : { areaError }),
    });
  };
  for (const row of table.rows)
    for (const group of groups) {
      // Groups are in the order of their columns, so a line of few cells takes time for these alone.
      if (group.from >= row.cells.length) break;
      readPoint(row, group);
    }
  if (tracks.size === 0) throw new GradsimError('video/no-points', `${name} has no points.`, { field: name });
  return Array.from(tracks, ([track, points]) => ({ name: track, points }));
}

/** Times of the rows that have one, s. */
function secondsOf(table: Table, time: Heading | undefined): ReadonlyMap<Row, number> {
  const rows = time ? table.rows.filter(({ cells }) => !isAbsent(cells[time.column] ?? '')) : [];
  if (!time || rows.length === 0) return new Map();
  const { seconds } = readClock(table, time, { rows });
  return new Map(rows.map((row, k) => [row, seconds[k]]));
}

/** Likelihood below which a point of DeepLabCut was not seen, as it is by default there. */
const MIN_LIKELIHOOD = 0.6;

/**
 * Maximum difference between a time in the file and that of the nearest frame, in frames: larger ones are not due to
 * rounding.
 */
const MAX_FRAME_FRACTION = 0.15;

/** Columns of one point, and the name of its track if no column says it. */
interface Group {
  readonly name: string;
  /** Index of the first of its columns x and y. */
  readonly from: number;
  readonly columns: ReadonlyMap<Column, Heading>;
}

/** Pattern of the name of an x or y column where a line has several points: `x1`, `x_left`, `left_x`, `left.x`. */
const POINT_COLUMN = /^(?:([xy])[ _.]?(\w+)|(\w+?)[ _.]([xy]))$/i;

/** Columns of each point: of one, or of several that a header row or the names of columns tell apart. */
function groupsOf(headings: readonly Heading[]): Group[] {
  const shared = columnsOf(headings);
  const below = namedAbove(headings);
  if (below.length > 0) {
    const [index] = headings;
    // The first column of DeepLabCut counts frames, under the names of the header rows.
    const frame = shared.get('frame') ?? index;
    return below.map(({ name, columns }) => ({
      name,
      from: Math.min(columns.get('x')!.column, columns.get('y')!.column),
      columns: new Map([...columns, ['frame', frame]]),
    }));
  }
  if (shared.has('x') && shared.has('y')) return [{ name: '1', from: 0, columns: shared }];
  const places = new Map<string, { x?: Heading; y?: Heading }>();
  for (const heading of headings) {
    const [, axis, after, before, last] = POINT_COLUMN.exec(heading.name) ?? [];
    const name = after ?? before;
    if (name) places.set(name, { ...places.get(name), [(axis ?? last).toLowerCase()]: heading });
  }
  return [...places]
    .flatMap(([name, { x, y }]): Group[] =>
      x === undefined || y === undefined
        ? []
        : [{ name, from: Math.min(x.column, y.column), columns: new Map([...shared, ['x', x], ['y', y]]) }],
    )
    .sort((a, b) => a.from - b.from);
}

/** Points with columns x and y below a name of their own, in the row above. */
function namedAbove(headings: readonly Heading[]): { readonly name: string; readonly columns: Map<Column, Heading> }[] {
  const groups = new Map<string, Map<Column, Heading>>();
  for (const heading of headings) {
    const name = heading.headerCells.at(-2) ?? '';
    if (name === '' || !/^(?:x|y|likelihood)$/.test(heading.name)) continue;
    const own = groups.get(name) ?? new Map<Column, Heading>();
    groups.set(name, own.set(heading.name as Column, heading));
  }
  const whole = [...groups].filter(([, own]) => own.has('x') && own.has('y'));
  return whole.length > 1 || whole.some(([, own]) => own.has('likelihood'))
    ? whole.map(([name, columns]) => ({ name, columns }))
    : [];
}

function columnsOf(headings: readonly Heading[]): Map<Column, Heading> {
  const found = new Map<Column, Heading>();
  for (const heading of headings) {
    const name = heading.name.replace(/[ _#]/g, '');
    const column = NAMES.get(name);
    // A label may be that of each point, where another column says its track.
    if (column && (!found.has(column) || name === 'trackid')) found.set(column, heading);
  }
  return found;
}

function pointAt(
  { frame, time }: { readonly frame?: number; readonly time?: number },
  frameRate: number | undefined,
  where: string,
): { frame: number; time: number } {
  const rate = frameRate ?? Number.NaN;
  const exact = (time ?? Number.NaN) * rate;
  if (frame === undefined && Math.abs(exact - Math.round(exact)) > MAX_FRAME_FRACTION)
    throw new GradsimError(
      'video/track-time',
      `${where}: time ${time} s is frame ${exact.toFixed(2)} at ${rate} frames a second, between two: frameRate must be that of the film that was tracked.`,
    );
  const found = {
    frame: frame ?? Math.round((time ?? Number.NaN) * rate),
    time: time ?? (frame ?? Number.NaN) / rate,
  };
  if (!Number.isInteger(found.frame) || found.frame < 0 || !Number.isFinite(found.time))
    throw new GradsimError(
      'video/track-time',
      `${where}: frame ${frame ?? 'none'} at time ${time ?? 'none'} is no frame of a film.`,
    );
  return found;
}
