import {
  type Clock,
  headingOf,
  lengthUnitOf,
  numberIn,
  type Row,
  readClock,
  readTable,
  type Table,
  type TableInput,
  timeHeading,
} from '@gradsim/base/tables';
import { describeValue, GradsimError, refuseUnknownOptions, refuseWrongType } from '@gradsim/core';
import { MAX_FRAMES, posesInFrames, type TimedPose } from './frames.ts';
import { POSITION_AXES, type PoseColumns, poseColumns, QUATERNION_AXES } from './pose-columns.ts';
import type { Pose, Poses } from './poses.ts';

/** Options of {@link readPoses}: what the table itself does not say. */
export interface ReadPosesOptions {
  /** Frames per second. Required if the table has no column of times. */
  readonly frameRate?: number;
  /** Name of the table in messages. Default `The table`. */
  readonly name?: string;
}

/** Maximum deviation of a quaternion's norm from 1. */
const UNIT_NORM_TOLERANCE = 0.01;
const BODY_TITLES = new Set(['body', 'id', 'name', 'recording', 'object', 'subject']);
const FRAME_TITLES = new Set(['frame', 'frame#', 'frame number', 'framenumber']);

/**
 * Reads poses from a table of text: positions `x`, `y`, `z`, in metres unless headings name another unit, quaternions `qx`,
 * `qy`, `qz`, `qw`, and times, frames or both; and `body` if there are several bodies. Names may be those of other programs:
 * TUM, EuRoC, `rostopic echo -p`, PlotJuggler, Motive. Separators, decimal commas, encodings and units of time are as in
 * all tables. A frame without a line, or with empty cells, is a missing pose. Times that are not at equal steps are kept as
 * `frameTimes`, with missing poses where they are far apart. The bodies of a table may have
 * at most 10,000,000 frames together, including missing ones.
 *
 * ```ts
 * const [cube] = readPoses(await readFile('toss.csv'));
 * console.log(cube.readingNotes); // time in ms, x y z in m; 148 frames a second
 * ```
 * @param input text, the bytes of a file, or a table that is read already.
 * @throws naming the line, the column and the value.
 */
export function readPoses(input: TableInput, options: ReadPosesOptions = {}): Poses[] {
  refuseUnknownOptions<ReadPosesOptions>('readPoses', options, { frameRate: 0, name: '' });
  const { frameRate, name = 'The table' } = options;
  if (frameRate !== undefined && !(Number.isFinite(frameRate) && frameRate > 0))
    throw new GradsimError('poses/option-out-of-range', `readPoses: frameRate is ${describeValue(frameRate)}.`, {
      field: 'frameRate',
      hint: 'It must be a number above 0.',
    });
  refuseWrongType('readPoses: name', name, 'a text', typeof name === 'string');
  const table = withHeadings(readTable(input, { name }));
  const columns = poseColumns(table);
  if (table.rows.length === 0)
    throw new GradsimError(
      'poses/no-poses',
      `${name} has no poses: a line with the names of columns, and one a pose.`,
      {
        field: name,
      },
    );
  const time = timeHeading(table);
  const frame = table.headings.find((heading) => FRAME_TITLES.has(heading.name));
  if (!time && frameRate === undefined)
    throw new GradsimError('poses/frame-rate-missing', `${name} has no column time.`, {
      field: name,
      hint: 'Give the frames a second, as frameRate.',
    });
  if (!time && !frame)
    throw new GradsimError('poses/column-missing', `${name} has neither a column time nor a column frame.`, {
      field: name,
    });
  const timed = time && table.rows.filter(({ cells }) => (cells[time.column] ?? '') !== '');
  const clock = timed && timed.length > 0 ? readClock(table, time, { rows: timed }) : undefined;
  const seconds = new Map(timed?.map((row, k) => [row, clock!.seconds[k]]));
  const bodies = bodiesOf(table, columns, (row) => ({
    source: `${name}, line ${row.line}`,
    ...(frame && (row.cells[frame.column] ?? '') !== '' ? { frame: numberIn(table, row, frame) } : {}),
    ...(time && seconds.has(row) ? { time: seconds.get(row), timeText: row.cells[time.column] } : {}),
  }));
  let room = MAX_FRAMES;
  return Array.from(bodies, ([body, rows]) => {
    const resolution = clock?.resolution ?? 0;
    const { poses, remark } = posesInFrames(rows, body === '' ? name : body, { given: frameRate, resolution, room });
    room -= poses.poses.length;
    return { ...poses, readingNotes: readingSentence(table, columns[0], clock, remark) };
  });
}

/** Rows of poses by body: of a column that names it, or of columns for each. */
function bodiesOf(
  table: Table,
  columns: readonly PoseColumns[],
  placeIn: (row: Row) => Omit<TimedPose, 'pose'>,
): Map<string, TimedPose[]> {
  const body = columns.length > 1 ? undefined : table.headings.find(({ name }) => BODY_TITLES.has(name));
  const { factor } = lengthUnitOf(table, columns[0].position);
  const bodies = new Map<string, TimedPose[]>();
  for (const row of table.rows)
    for (const own of columns) {
      const name = own.body ?? (body ? (row.cells[body.column] ?? '') : '');
      const timed = { ...placeIn(row), pose: poseIn(table, row, own, factor) };
      const rows = bodies.get(name);
      if (rows) rows.push(timed);
      else bodies.set(name, [timed]);
    }
  return bodies;
}

/** @throws when a cell is not a number, or the norm of a quaternion is not 1. */
function poseIn(
  table: Table,
  row: Row,
  { position: place, orientation: turn }: PoseColumns,
  factor: number,
): Pose | null {
  const [position, orientation] = [place, turn].map((headings) =>
    headings.map((heading) => numberIn(table, row, heading)),
  );
  if ([...position, ...orientation].some(Number.isNaN)) return null;
  const length = Math.hypot(...orientation);
  if (Math.abs(length - 1) > UNIT_NORM_TOLERANCE)
    throw new GradsimError(
      'poses/quaternion-length',
      `${table.name}, line ${row.line}: the quaternion (${orientation.join(', ')}) has the length ${length.toPrecision(4)}, and must have 1.`,
    );
  return { position: position.map((x) => x * factor), orientation };
}

/** A table without headings of eight columns has those of TUM. */
function withHeadings(table: Table): Table {
  if (table.headings.length > 0 || table.rows[0]?.cells.length !== 1 + POSITION_AXES.length + QUATERNION_AXES.length)
    return table;
  return {
    ...table,
    headings: ['time', ...POSITION_AXES, ...QUATERNION_AXES].map((title, at) => headingOf(title, at)),
  };
}

function readingSentence(table: Table, { position }: PoseColumns, clock: Clock | undefined, remark: string): string {
  const { name } = lengthUnitOf(table, position);
  return [table.source, clock?.remark, `x y z in ${name}`, remark, table.decimalComma ? 'decimal commas' : undefined]
    .filter((part) => part !== undefined)
    .join('; ');
}
