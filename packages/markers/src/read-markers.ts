import { GradsimError } from '@gradsim/core';
import { median } from '@gradsim/numeric';

/** Positions of markers at equal steps of time. */
export interface MarkerRecording {
  readonly name: string;
  /** Names of the markers, in the order of their first lines. */
  readonly markers: readonly string[];
  /** Number of frames per second. */
  readonly frameRate: number;
  readonly frames: number;
  /** Positions x, y, z, m: flat, [frame][marker][component]; NaN where a marker was not seen. */
  readonly positions: Float64Array;
}

/** Options of {@link readMarkers}: what the table itself does not say. */
export interface ReadMarkersOptions {
  /** Frames per second. Required if the table has no column of times. */
  readonly frameRate?: number;
  /** Name of the table in messages. Default `The table`. */
  readonly name?: string;
}

const AXES = ['x', 'y', 'z'] as const;
/** Factor from a unit in a column's name, as in `x [mm]`, to metres. */
const UNITS: Readonly<Record<string, number>> = { m: 1, cm: 0.01, mm: 0.001 };
/** Maximum deviation of times from equal steps, as a fraction of a step. */
const UNEVEN = 0.1;
/** Maximum number of missing frames between two lines. */
const MAX_GAP = 10_000;
/** Extent of all positions above which they are taken for millimetres, m. */
const ROOM = 20;
/**
 * Ratio of the distances that two markers move between frames, as they are named and with both names exchanged, above
 * which their names count as exchanged.
 */
const EXCHANGED = 5;

/**
 * Reads markers of a motion capture from a table of text with the columns `marker`, `x`, `y`, `z` in metres (or with a
 * unit, `x [mm]`), and `frame` or `time` in seconds: one line for each marker in each frame. Cells are separated by
 * commas, semicolons or tabs; lines that begin with # are comments, columns of other names are ignored. A marker without
 * a line, with empty cells or `NaN` was not seen in that frame.
 *
 * ```ts
 * const recording = readMarkers(await readFile('beam.csv', 'utf8'), { frameRate: 100 });
 * ```
 * @throws GradsimError naming line and column: missing columns, what is no number, a marker twice in a frame, time that
 * jumps, positions that look like millimetres, and two markers that exchange their names.
 */
export function readMarkers(text: string, { frameRate, name = 'The table' }: ReadMarkersOptions = {}): MarkerRecording {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line, k) => ({ cells: line.split(/[,;\t]/).map((cell) => cell.trim()), at: k + 1 }))
    .filter(({ cells }) => cells.some((cell) => cell !== '') && !cells[0].startsWith('#'));
  const columns = columnsOf(lines[0]?.cells ?? [], name, frameRate);
  const names = new Map<string, number>();
  const times = new Map<number, number>();
  const seen: { readonly moment: number; readonly marker: number; readonly place: number[]; readonly at: number }[] =
    [];
  for (const { cells, at } of lines.slice(1)) {
    const number = (column: Column): number => {
      const cell = cells[column.at] ?? '';
      if (column.isPlace && (cell === '' || cell.toLowerCase() === 'nan')) return Number.NaN;
      const value = Number(cell);
      if (cell === '' || !Number.isFinite(value))
        throw new GradsimError('markers/not-a-number', `${name}, line ${at}: ${column.title} is "${cell}".`, {
          field: column.title,
          hint: 'It must be a number. Of a marker that was not seen x, y and z are empty or NaN.',
        });
      return value * column.factor;
    };
    const moment = number(columns.moment);
    const marker = cells[columns.marker.at] ?? '';
    if (!names.has(marker)) names.set(marker, names.size);
    times.set(moment, at);
    seen.push({ moment, marker: names.get(marker)!, place: columns.axes.map(number), at });
  }
  if (seen.length === 0)
    throw new GradsimError('markers/no-markers', `${name} has no line with a marker.`, { field: name });
  const { frameOf, rate, frames } = framesOf(times, columns.isTime, frameRate, name);
  const count = names.size;
  const positions = new Float64Array(frames * count * 3).fill(Number.NaN);
  const filled = new Set<number>();
  for (const { moment, marker, place, at } of seen) {
    const index = frameOf(moment) * count + marker;
    if (filled.has(index))
      throw new GradsimError(
        'markers/marker-twice',
        `${name}, line ${at}: marker ${[...names.keys()][marker]} is there a second time at ${columns.moment.title} ${moment}.`,
        { field: 'marker' },
      );
    filled.add(index);
    positions.set(place, 3 * index);
  }
  const recording = { name, markers: [...names.keys()], frameRate: rate, frames, positions };
  checkUnit(recording, columns.hasUnit);
  checkNames(recording);
  return recording;
}

interface Column {
  readonly title: string;
  readonly at: number;
  readonly factor: number;
  readonly isPlace: boolean;
}

function columnsOf(header: readonly string[], name: string, frameRate: number | undefined) {
  const find = (...titles: string[]): Column | undefined => {
    const at = header.findIndex((cell) => titles.includes(cell.toLowerCase().replace(/\s*[[(].*$/, '')));
    if (at < 0) return undefined;
    const unit = /[[(]\s*(\w+)\s*[\])]/.exec(header[at])?.[1].toLowerCase();
    const isPlace = (AXES as readonly string[]).includes(titles[0]);
    if (isPlace && unit !== undefined && UNITS[unit] === undefined)
      throw new GradsimError('markers/unknown-unit', `${name}: the unit of ${header[at]} is not known.`, {
        field: header[at],
        hint: `Units are ${Object.keys(UNITS).join(', ')}.`,
      });
    return { title: header[at], at, isPlace, factor: isPlace && unit !== undefined ? UNITS[unit] : 1 };
  };
  const [marker, time, frame] = [find('marker', 'name'), find('time', 't'), find('frame')];
  const axes = AXES.map((axis) => find(axis));
  const moment = time ?? frame;
  const missing = [
    ...(moment ? [] : ['time or frame']),
    ...(marker ? [] : ['marker']),
    ...AXES.filter((_, k) => !axes[k]),
  ];
  if (missing.length > 0)
    throw new GradsimError('markers/column-missing', `${name} has no column ${missing.join(', ')}.`, {
      hint: `Its first line must name them, as in frame,marker,x,y,z; it names ${header.join(', ') || 'nothing'}.`,
    });
  if (!time && frameRate === undefined)
    throw new GradsimError('markers/frame-rate-missing', `${name} has no column time.`, {
      hint: 'Give the frames a second, as frameRate.',
    });
  return {
    moment: moment!,
    marker: marker!,
    axes: axes as Column[],
    isTime: time !== undefined,
    hasUnit: /[[(]/.test(axes[0]!.title),
  };
}

/** Frames at equal steps. @throws where time jumps. */
function framesOf(moments: ReadonlyMap<number, number>, isTime: boolean, given: number | undefined, name: string) {
  const sorted = [...moments.keys()].sort((a, b) => a - b);
  const first = sorted[0];
  const step = isTime ? (given === undefined ? median(sorted.slice(1).map((t, k) => t - sorted[k])) : 1 / given) : 1;
  if (!(step > 0))
    throw new GradsimError('markers/frame-rate-missing', `${name} has fewer than two moments.`, {
      hint: 'Give the frames a second, as frameRate.',
    });
  // The line before, in the order of the file.
  let before = Number.NaN;
  for (const [moment, line] of moments) {
    const steps = (moment - before) / step;
    if (steps <= 0 || Math.abs(steps - Math.round(steps)) > UNEVEN || steps > MAX_GAP)
      throw new GradsimError(
        'markers/time-jumps',
        `${name}, line ${line}: ${isTime ? 'time' : 'frame'} goes from ${before} to ${moment}; steps are ${step.toPrecision(4)}.`,
        {
          field: isTime ? 'time' : 'frame',
          hint: 'Moments must follow one another at equal steps. Split the recording there.',
        },
      );
    before = moment;
  }
  const frameOf = (moment: number): number => Math.round((moment - first) / step);
  return { frameOf, rate: isTime ? 1 / step : given!, frames: frameOf(sorted[sorted.length - 1]) + 1 };
}

function checkUnit({ positions, name }: MarkerRecording, hasUnit: boolean): void {
  if (hasUnit) return;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const x of positions)
    if (!Number.isNaN(x)) {
      low = Math.min(low, x);
      high = Math.max(high, x);
    }
  if (high - low > ROOM)
    throw new GradsimError(
      'markers/looks-like-millimetres',
      `${name}: positions range from ${low.toPrecision(4)} to ${high.toPrecision(4)}, which would be metres.`,
      { field: 'x', hint: 'If they are millimetres, say so in the first line: x [mm], y [mm], z [mm].' },
    );
}

/** @throws where two markers exchange their names from one frame to the next. */
function checkNames({ positions, markers, frames, name }: MarkerRecording): void {
  const count = markers.length;
  const at = (f: number, m: number) => positions.subarray(3 * (f * count + m), 3 * (f * count + m) + 3);
  const apart = (a: Float64Array, b: Float64Array): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  for (let f = 1; f < frames; f++)
    for (let a = 0; a < count; a++)
      for (let b = a + 1; b < count; b++) {
        const asNamed = apart(at(f, a), at(f - 1, a)) + apart(at(f, b), at(f - 1, b));
        const exchanged = apart(at(f, a), at(f - 1, b)) + apart(at(f, b), at(f - 1, a));
        if (asNamed > EXCHANGED * exchanged)
          throw new GradsimError(
            'markers/names-exchanged',
            `${name}: markers ${markers[a]} and ${markers[b]} exchange their places between frames ${f - 1} and ${f}.`,
            { field: 'marker', hint: 'Exchange their names from there on, or leave one of them out.' },
          );
      }
}
