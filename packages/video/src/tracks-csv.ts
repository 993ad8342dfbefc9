import { GradsimError, refuseUnknownOptions } from '@gradsim/kernel';
import { csvCell, parseCsv } from './csv.ts';

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
  return [COLUMNS, ...rows].map((row) => `${row.map(csvCell).join(',')}\n`).join('');
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

type Column = (typeof COLUMNS)[number];

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
  } satisfies Record<string, Column>),
]);

/**
 * Reads tracks from CSV, as {@link formatTracks} writes it and as Tracker exports it. There must be columns `x` and
 * `y`, in pixels, and `frame`, `time` (or `t`), in seconds, or both; `track` (or `id`) and `area`, in square pixels,
 * are optional; other columns are ignored. Several points per line have columns such as `x1,y1,x2,y2` or
 * `left_x,left_y`. Separators are commas, semicolons or tabs. Lines before the one with the column names are ignored. A
 * point without x or y was not seen in that frame.
 *
 * @example
 * const [ball] = readTracks(await readFile('ball.csv', 'utf8'), { frameRate: 120 });
 *
 * @throws GradsimError naming the line, the column and the value.
 */
export function readTracks(text: string, options: ReadTracksOptions = {}): Track[] {
  refuseUnknownOptions('readTracks', options, { frameRate: true, upFrom: true, name: true });
  const { frameRate, upFrom, name = 'The CSV' } = options;
  for (const [option, value] of Object.entries({ frameRate, upFrom }))
    if (value !== undefined && !(value > 0 && Number.isFinite(value)))
      throw new GradsimError('video/option-out-of-range', `readTracks: ${option} is ${value}.`, {
        field: option,
        hint: 'It must be a number above 0.',
      });
  const plain = text.replace(/^\uFEFF/, '');
  const delimiter = separatorOf(plain);
  const lines = parseCsv(plain, delimiter);
  const header = lines.findIndex((line) => tablesOf(line).length > 0);
  if (header < 0)
    throw new GradsimError(
      'video/track-column-missing',
      `${name} has no line with the names of columns, x and y among them.`,
      { field: name, hint: 'A table of tracks begins with such a line: `frame,time,x,y`.' },
    );
  const tables = tablesOf(lines[header]);
  const [{ columns }] = tables;
  if (!columns.has('frame') && !columns.has('time'))
    throw new GradsimError(
      'video/track-column-missing',
      `${name}, line ${header + 1}: there is neither a column frame nor a column time.`,
    );
  if (!(columns.has('frame') && columns.has('time')) && frameRate === undefined)
    throw new GradsimError(
      'video/frame-rate-missing',
      `${name} has a column ${columns.has('frame') ? 'frame and none time' : 'time and none frame'}.`,
      { field: name, hint: 'Give the frames a second, as frameRate.' },
    );
  const tracks = new Map<string, TrackPoint[]>();
  const readPoint = (line: string[], k: number, { columns, name: own }: Table): void => {
    const where = `${name}, line ${header + k + 2}`;
    const value = (column: Column) => numberIn(line, columns.get(column), column, where, delimiter);
    const [x, y] = [value('x'), value('y')];
    if (x === undefined || y === undefined) return;
    const track = line[columns.get('track') ?? -1]?.trim() ?? own;
    const point = pointAt({ frame: value('frame'), time: value('time') }, frameRate, where);
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
  lines.slice(header + 1).forEach((line, k) => {
    if (line.every((cell) => cell.trim() === '')) return;
    for (const table of tables) {
      // Tables are in the order of their columns, so a line of few cells takes time for these alone.
      if (table.from >= line.length) break;
      readPoint(line, k, table);
    }
  });
  if (tracks.size === 0) throw new GradsimError('video/no-points', `${name} has no points.`, { field: name });
  return Array.from(tracks, ([track, points]) => ({ name: track, points }));
}

/**
 * Maximum difference between a time in the file and that of the nearest frame, in frames: larger ones are not due to
 * rounding.
 */
const BETWEEN_FRAMES = 0.15;

/** Columns of one point, and the name of its track if no column says it. */
interface Table {
  readonly name: string;
  /** Index of the first of its columns x and y. */
  readonly from: number;
  readonly columns: Map<Column, number>;
}

/** Pattern of the name of an x or y column where a line has several points: `x1`, `x_left`, `left_x`, `left.x`. */
const OF_A_POINT = /^(?:([xy])[ _.]?(\w+)|(\w+?)[ _.]([xy]))$/i;

/** Parses a header line: returns a table for each point that it has columns x and y of; none for any other line. */
function tablesOf(line: readonly string[]): Table[] {
  const shared = columnsOf(line);
  if (shared.has('x') && shared.has('y')) return [{ name: '1', from: 0, columns: shared }];
  const places = new Map<string, { x?: number; y?: number }>();
  line.forEach((cell, at) => {
    const [, axis, after, before, last] = OF_A_POINT.exec(withoutUnit(cell)) ?? [];
    const name = after ?? before;
    if (name) places.set(name, { ...places.get(name), [(axis ?? last).toLowerCase()]: at });
  });
  return [...places]
    .flatMap(([name, { x, y }]): Table[] =>
      x === undefined || y === undefined
        ? []
        : [{ name, from: Math.min(x, y), columns: new Map([...shared, ['x', x], ['y', y]]) }],
    )
    .sort((a, b) => a.from - b.from);
}

/** Returns the name of a column without a unit in brackets. A regular expression for this would take quadratic time. */
function withoutUnit(cell: string): string {
  const [from, to] = [cell.indexOf('('), cell.lastIndexOf(')')];
  return (from >= 0 && to > from ? cell.slice(0, from) + cell.slice(to + 1) : cell).trim();
}

/** Returns the separator of cells: the one by which the first possible line is a header with columns x and y. */
function separatorOf(text: string): string {
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    const found = ['\t', ';', ','].find(
      (separator) => line.includes(separator) && tablesOf(parseCsv(line, separator)[0]).length > 0,
    );
    if (found) return found;
  }
  return ',';
}

function columnsOf(line: readonly string[]): Map<Column, number> {
  const found = new Map<Column, number>();
  line.forEach((cell, at) => {
    const column = NAMES.get(withoutUnit(cell).toLowerCase().replace(/[ _#]/g, ''));
    if (column && !found.has(column)) found.set(column, at);
  });
  return found;
}

/** Parses a number. Where commas do not separate columns, a number may have a decimal comma. */
function numberIn(
  line: readonly string[],
  at: number | undefined,
  column: string,
  where: string,
  delimiter: string,
): number | undefined {
  const text = at === undefined ? '' : (line[at] ?? '').trim();
  if (text === '' || /^nan$/i.test(text)) return undefined;
  const value = Number(delimiter === ',' ? text : text.replace(',', '.'));
  if (!Number.isFinite(value))
    throw new GradsimError('video/track-value', `${where}: ${column} is "${text}".`, { hint: 'It must be a number.' });
  return value;
}

function pointAt(
  { frame, time }: { readonly frame?: number; readonly time?: number },
  frameRate: number | undefined,
  where: string,
): { frame: number; time: number } {
  const rate = frameRate ?? Number.NaN;
  const exact = (time ?? Number.NaN) * rate;
  if (frame === undefined && Math.abs(exact - Math.round(exact)) > BETWEEN_FRAMES)
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
