import { median } from '@gradsim/base';
import {
  type Clock,
  evenSteps,
  type Heading,
  jitterOf,
  lengthUnitOf,
  numberIn,
  type Row,
  readClock,
  readTable,
  type Table,
  type TableInput,
} from '@gradsim/base/tables';
import { GradsimError, refuseUnknownOptions, refuseWrongType } from '@gradsim/core';
import type { MarkerRecording } from '../recording.ts';
import { isC3d, readC3d } from './c3d.ts';
import { interpolateAtEvenTimes, placeInFrames, type SeenMarkers } from './even-frames.ts';
import { type MarkerColumns, markerColumns } from './marker-columns.ts';

/** Options of {@link readMarkers}: what the table itself does not say. */
export interface ReadMarkersOptions {
  /** Frames per second. Required if the table has no column of times. */
  readonly frameRate?: number;
  /** Name of the table in messages. Default `The table`. */
  readonly name?: string;
}

/** Maximum deviation of times from steps of a given frame rate, as a fraction of a step. */
const MAX_STEP_DEVIATION = 0.1;
/** Maximum number of missing frames between two lines. */
const MAX_GAP = 10_000;
/** Extent of all positions above which they are taken for millimetres, m. */
const MAX_EXTENT = 20;
/**
 * Ratio of the distances that two markers move between frames, as they are named and with both names exchanged, above
 * which their names count as exchanged.
 */
const EXCHANGE_RATIO = 5;
/** Number of coordinates by which even steps are told from stamps. */
const MOST_SERIES = 30;

/**
 * Reads markers of a motion capture from a table of text: `marker`, `x`, `y`, `z` and `frame` or `time`, one line for each
 * marker in each frame; or one line a frame with columns for each marker, as Motive, Vicon and TRC files have them. Positions
 * are in metres and times in seconds unless headings or lines above them name another unit. Separators, decimal commas,
 * encodings and clocks are as in all tables. A marker without a line, with empty cells or `NaN` was not seen in that
 * frame. Times at equal steps, however rounded, are frames; at others, positions of frames come from those of the lines
 * before and after, by cubics. Bytes of a C3D file are read as such.
 *
 * ```ts
 * const recording = readMarkers(await readFile('beam.csv'), { frameRate: 100 });
 * console.log(recording.readingNotes); // x y z in mm; 100 frames a second
 * ```
 * @param input text, the bytes of a file, or a table that is read already.
 * @throws GradsimError naming line and column: missing columns, what is no number, a marker twice in a frame, time that
 * goes back, positions that look like millimetres, and two markers that exchange their names.
 */
export function readMarkers(input: TableInput, options: ReadMarkersOptions = {}): MarkerRecording {
  refuseUnknownOptions<ReadMarkersOptions>('readMarkers', options, { frameRate: true, name: true });
  const { frameRate, name = 'The table' } = options;
  refuseWrongType('readMarkers: name', name, 'a text', typeof name === 'string');
  const isRate = frameRate === undefined || (Number.isFinite(frameRate) && frameRate > 0);
  refuseWrongType('readMarkers: frameRate', frameRate, 'a number above 0', isRate);
  if (input instanceof Uint8Array && isC3d(input)) {
    const recording = readC3d(input, name);
    checkNames(recording);
    return recording;
  }
  const table = readTable(input, { name });
  const columns = markerColumns(table, frameRate);
  if (table.rows.length === 0)
    throw new GradsimError('markers/no-markers', `${name} has no line with a marker.`, { field: name });
  const length = lengthUnitOf(table, [...columns.places.values()][0]);
  const { clock, moments } = momentsOf(table, columns);
  const { positions, markers, times } = positionsByMoment(table, columns, moments, length.factor);
  const seen = { times: [...times.keys()], positions, count: markers.length };
  const { times: at, remark, ...frames } = framesOf(seen, { table, columns, clock, given: frameRate, lines: times });
  const all = at === undefined ? interpolateAtEvenTimes(seen, frames) : placeInFrames(seen, at, frames.frames);
  const decided = [
    table.source,
    clock?.remark,
    `x y z in ${length.name}`,
    remark,
    table.decimalComma ? 'decimal commas' : undefined,
  ];
  const readingNotes = decided.filter((part) => part !== undefined).join('; ');
  const recording = { name, markers, ...frames, positions: all, readingNotes };
  checkUnit(recording, length.isNamed);
  checkNames(recording);
  return recording;
}

/** Moment of each line: s of a column of times, else its frame. */
function momentsOf(
  table: Table,
  { time, frame }: MarkerColumns,
): { readonly clock?: Clock; readonly moments: ArrayLike<number> } {
  if (time) {
    const clock = readClock(table, time);
    return { clock, moments: clock.seconds };
  }
  return { moments: table.rows.map((row) => requiredNumber(table, row, frame!)) };
}

function requiredNumber(table: Table, row: Row, heading: Heading): number {
  const value = numberIn(table, row, heading);
  if (!Number.isNaN(value)) return value;
  throw new GradsimError(
    'tables/not-a-number',
    `${table.name}, line ${row.line}: ${heading.title} is "${row.cells[heading.column] ?? ''}".`,
    {
      field: heading.title,
      hint: 'It must be a number, in every line.',
    },
  );
}

/** Positions by moment and marker, flat; and the lines of the moments, which ascend. */
function positionsByMoment(
  table: Table,
  { time, frame, marker, places }: MarkerColumns,
  moments: ArrayLike<number>,
  factor: number,
) {
  const names = new Map<string, number>();
  const times = new Map<number, number>();
  const seen: { readonly moment: number; readonly marker: number; readonly place: number[]; readonly row: Row }[] = [];
  const title = (time ?? frame)!.title;
  let before = Number.NEGATIVE_INFINITY;
  for (const [k, row] of table.rows.entries()) {
    if (moments[k] < before)
      throw new GradsimError(
        'markers/time-jumps',
        `${table.name}, line ${row.line}: ${title} goes from ${before} to ${moments[k]}.`,
        { field: title, hint: 'Moments must follow one another. Split the recording there.' },
      );
    before = moments[k];
    if (!times.has(moments[k])) times.set(moments[k], row.line);
    for (const [own, axes] of places) {
      const called = marker ? (row.cells[marker.column] ?? '') : own;
      if (!names.has(called)) names.set(called, names.size);
      const place = axes.map((axis) => numberIn(table, row, axis) * factor);
      seen.push({ moment: moments[k], marker: names.get(called)!, place, row });
    }
  }
  const order = new Map(Array.from(times.keys(), (moment, k) => [moment, k]));
  const positions = new Float64Array(times.size * names.size * 3).fill(Number.NaN);
  const filled = new Map<number, readonly string[]>();
  for (const { moment, marker: m, place, row } of seen) {
    const index = order.get(moment)! * names.size + m;
    const other = filled.get(index);
    // A line that is there twice says nothing new.
    if (other && other.join('\n') !== row.cells.join('\n'))
      throw new GradsimError(
        'markers/marker-twice',
        `${table.name}, line ${row.line}: marker ${[...names.keys()][m]} is there a second time at ${title} ${moment}.`,
        { field: 'marker' },
      );
    filled.set(index, row.cells);
    positions.set(place, 3 * index);
  }
  return { positions, markers: [...names.keys()], times };
}

interface Frames {
  readonly frameRate: number;
  readonly frames: number;
  /** Frame of each moment; undefined where times are not at equal steps. */
  readonly times?: readonly number[];
  readonly remark: string;
}

interface FrameInputs {
  readonly table: Table;
  readonly columns: MarkerColumns;
  readonly clock?: Clock;
  readonly given?: number;
  /** Line of each moment. */
  readonly lines: ReadonlyMap<number, number>;
}

/** Frames of moments. @throws where frames are missing for long, or times are not those of a given frame rate. */
function framesOf(seen: SeenMarkers, { table, columns, clock, given, lines }: FrameInputs): Frames {
  const moments = Array.from(seen.times);
  const refuse = (k: number): never => {
    throw new GradsimError(
      'markers/time-jumps',
      `${table.name}, line ${lines.get(moments[k])}: ${(columns.time ?? columns.frame)!.title} goes from ${moments[k - 1]} to ${moments[k]}.`,
      { hint: 'Give moments at equal steps of the frame rate, and split the recording where it has gaps.' },
    );
  };
  const whole = (frameRate: number, times: readonly number[], remark = ''): Frames => {
    const gap = times.findIndex((f, k) => k > 0 && f - times[k - 1] > MAX_GAP);
    if (gap > 0) refuse(gap);
    return {
      frameRate,
      frames: times[times.length - 1] + 1,
      times,
      remark: `${formatRate(frameRate)} frames a second${remark}`,
    };
  };
  if (!columns.time || given !== undefined) {
    const step = columns.time ? 1 / given! : 1;
    const exact = moments.map((moment) => (moment - moments[0]) / step);
    const off = exact.findIndex((at) => Math.abs(at - Math.round(at)) > MAX_STEP_DEVIATION);
    if (off > 0) refuse(off);
    return whole(given!, exact.map(Math.round));
  }
  if (moments.length < 2)
    throw new GradsimError('markers/frame-rate-missing', `${table.name} has fewer than two moments.`, {
      hint: 'Give the frames a second, as frameRate.',
    });
  const even = evenSteps(moments, clock!.resolution);
  if (even) return whole(1 / even.step, Array.from(even.index));
  const jitter = jitterOf(moments, seriesOf(seen));
  if (jitter)
    return whole(
      1 / jitter.step,
      jitter.index,
      `, at which the motion is smoother than at its stamps, which are up to ${(1000 * jitter.largestDeviation).toPrecision(2)} ms off`,
    );
  const steps = moments.slice(1).map((moment, k) => moment - moments[k]);
  const frameRate = 1 / median(steps);
  const far = steps.findIndex((step) => step * frameRate > MAX_GAP);
  if (far >= 0) refuse(far + 1);
  const frames = Math.floor((moments[moments.length - 1] - moments[0]) * frameRate + 1e-6) + 1;
  return { frameRate, frames, remark: `uneven times, interpolated at ${formatRate(frameRate)} frames a second` };
}

/** Coordinates of markers, each over the moments; some of many markers. */
function seriesOf({ positions, times, count }: SeenMarkers): number[][] {
  const some = Array.from({ length: Math.min(3 * count, MOST_SERIES) }, (_, m) => m);
  return some.map((m) => Array.from(times, (_, k) => positions[3 * count * k + m]));
}

const formatRate = (rate: number): string => String(Number(rate.toPrecision(4)));

function checkUnit({ positions, name }: MarkerRecording, hasUnit: boolean): void {
  if (hasUnit) return;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const x of positions)
    if (!Number.isNaN(x)) {
      low = Math.min(low, x);
      high = Math.max(high, x);
    }
  if (high - low > MAX_EXTENT)
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
        if (asNamed > EXCHANGE_RATIO * exchanged)
          throw new GradsimError(
            'markers/names-exchanged',
            `${name}: markers ${markers[a]} and ${markers[b]} exchange their places between frames ${f - 1} and ${f}.`,
            { field: 'marker', hint: 'Exchange their names from there on, or leave one of them out.' },
          );
      }
}
