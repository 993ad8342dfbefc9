import { GradsimError, refuseUnknownOptions } from '@gradsim/core';
import type { Pose, Poses } from './poses.ts';

/** Options of {@link readPoses}: what the table itself does not say. */
export interface ReadPosesOptions {
  /** Frames per second. Required if the table has no column of times. */
  readonly frameRate?: number;
  /** Name of the table in messages. Default `The table`. */
  readonly name?: string;
}

const PLACE = ['x', 'y', 'z'] as const;
const TURN = ['qx', 'qy', 'qz', 'qw'] as const;
const OTHERS = ['body', 'frame', 'time'] as const;
type Column = (typeof PLACE)[number] | (typeof TURN)[number] | (typeof OTHERS)[number];
const COLUMNS: readonly Column[] = [...OTHERS, ...PLACE, ...TURN];

/** Accepted column names, in lower case, with the column that each stands for. */
const NAMES: ReadonlyMap<string, Column> = new Map<string, Column>([
  ...COLUMNS.map((name): [string, Column] => [name, name]),
  ...Object.entries({
    t: 'time',
    seconds: 'time',
    id: 'body',
    name: 'body',
    recording: 'body',
    tx: 'x',
    ty: 'y',
    tz: 'z',
    px: 'x',
    py: 'y',
    pz: 'z',
  } satisfies Record<string, Column>),
]);

/** Maximum deviation of a quaternion's norm from 1. */
const UNIT = 0.01;
/** Maximum deviation of times from equal steps, as a fraction of a step. */
const UNEVEN = 0.05;
/** Maximum number of frames of all bodies of a table together, including missing ones: over two hours at 1200 Hz. */
const MAX_FRAMES = 10_000_000;

/**
 * Reads poses from a table of text with the columns `x`, `y`, `z` in metres, `qx`, `qy`, `qz`, `qw`, and `frame`,
 * `time` in seconds or both; and `body` if there are several bodies. Cells are separated by commas, semicolons or tabs;
 * lines that begin with # are comments, and columns of other names are ignored. A frame without a line, or with empty
 * cells, is a missing pose. The bodies of a table may have at most 10,000,000 frames together, including missing ones.
 *
 * ```ts
 * const [cube] = readPoses(await readFile('toss.csv', 'utf8'));
 * ```
 * @throws naming the line, the column and the value.
 */
export function readPoses(text: string, options: ReadPosesOptions = {}): Poses[] {
  refuseUnknownOptions<ReadPosesOptions>('readPoses', options, { frameRate: 0, name: '' });
  const { frameRate, name = 'The table' } = options;
  if (frameRate !== undefined && !(frameRate > 0 && Number.isFinite(frameRate)))
    throw new GradsimError('poses/option-out-of-range', `readPoses: frameRate is ${frameRate}.`, {
      field: 'frameRate',
      hint: 'It must be a number above 0.',
    });
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line, k) => ({ line, number: k + 1 }))
    .filter(({ line }) => line.trim() !== '' && !line.startsWith('#'));
  if (lines.length < 2)
    throw new GradsimError(
      'poses/no-poses',
      `${name} has no poses: a line with the names of columns, and one a pose.`,
      { field: name },
    );
  const separator = [',', ';', '\t'].find((mark) => lines[0].line.includes(mark)) ?? ',';
  const cellsOf = (line: string): string[] =>
    line.split(separator).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
  const columns = columnsOf(cellsOf(lines[0].line), name, frameRate);
  const bodies = new Map<string, Row[]>();
  for (const { line, number } of lines.slice(1)) {
    const row = rowOf(cellsOf(line), columns, `${name}, line ${number}`);
    const own = bodies.get(row.body);
    if (own) own.push(row);
    else bodies.set(row.body, [row]);
  }
  let room = MAX_FRAMES;
  return Array.from(bodies, ([body, rows]) => {
    const read = inFrames(rows, body === '' ? name : body, frameRate, room);
    room -= read.poses.length;
    return read;
  });
}

interface Row {
  readonly where: string;
  readonly body: string;
  readonly frame?: number;
  readonly time?: number;
  readonly pose: Pose | null;
}

/** @throws when a required column is missing, or a column occurs twice. */
function columnsOf(header: readonly string[], name: string, frameRate: number | undefined): Map<Column, number> {
  const columns = new Map<Column, number>();
  header.forEach((title, k) => {
    const column = NAMES.get(title.toLowerCase());
    if (!column) return;
    if (columns.has(column))
      throw new GradsimError('poses/column-twice', `${name} has two columns ${column}.`, { field: name });
    columns.set(column, k);
  });
  for (const column of [...PLACE, ...TURN])
    if (!columns.has(column))
      throw new GradsimError('poses/column-missing', `${name} has no column ${column}; it has ${header.join(', ')}.`, {
        field: name,
        hint: 'A table begins with the line `time,x,y,z,qx,qy,qz,qw`.',
      });
  if (!columns.has('time') && frameRate === undefined)
    throw new GradsimError('poses/frame-rate-missing', `${name} has no column time.`, {
      field: name,
      hint: 'Give the frames a second, as frameRate.',
    });
  if (!columns.has('time') && !columns.has('frame'))
    throw new GradsimError('poses/column-missing', `${name} has neither a column time nor a column frame.`, {
      field: name,
    });
  return columns;
}

/** @throws when a cell is not a number, or the norm of a quaternion is not 1. */
function rowOf(cells: readonly string[], columns: ReadonlyMap<Column, number>, where: string): Row {
  const value = (column: Column): number | undefined => {
    const at = columns.get(column);
    const cell = at === undefined ? '' : (cells[at] ?? '');
    if (cell === '') return undefined;
    const number = Number(cell);
    if (!Number.isFinite(number))
      throw new GradsimError('poses/not-a-number', `${where}: ${column} is "${cell}", which is no number.`);
    return number;
  };
  const body = columns.has('body') ? (cells[columns.get('body')!] ?? '') : '';
  const [place, turn] = [PLACE.map(value), TURN.map(value)];
  const isThere = (values: readonly (number | undefined)[]): values is number[] => values.every((v) => v !== undefined);
  const row = { where, body, frame: value('frame'), time: value('time') };
  if (!isThere(place) || !isThere(turn)) return { ...row, pose: null };
  const length = Math.hypot(...turn);
  if (Math.abs(length - 1) > UNIT)
    throw new GradsimError(
      'poses/quaternion-length',
      `${where}: the quaternion (${turn.join(', ')}) has the length ${length.toPrecision(4)}, and must have 1.`,
    );
  return { ...row, pose: { position: place, orientation: turn } };
}

/** @throws when frames are not whole numbers or occur twice, times are uneven, or there are more frames than `room`. */
function inFrames(rows: readonly Row[], name: string, given: number | undefined, room: number): Poses {
  const timed = rows.filter((row): row is Row & { readonly time: number } => row.time !== undefined);
  const shortest = given === undefined ? shortestStep(timed) : { step: 1 / given, between: '' };
  if (!shortest)
    throw new GradsimError('poses/frame-rate-missing', `${name} has fewer than two times: there is no rate to tell.`, {
      field: name,
      hint: 'Give it as frameRate.',
    });
  const { step, between } = shortest;
  if (!Number.isFinite(1 / step))
    throw new GradsimError(
      'poses/times-too-close',
      `${name}: times are ${step} s apart${between}, too close for a frame rate. Times are in seconds; or give frameRate.`,
    );
  const poses: (Pose | null)[] = [];
  const began = timed[0]?.time ?? Number.NaN;
  // The whole recording tells its rate better than one step does.
  const length = timed.length > 1 ? timed[timed.length - 1].time - began : step;
  const count = Math.round(length / step);
  const whole = Math.abs(length / step - count) <= UNEVEN * count ? length / count : step;
  for (const { where, frame, time, pose } of rows) {
    if (frame === undefined && time === undefined)
      throw new GradsimError(
        'poses/time-missing',
        `${where} has neither a time nor a frame: the line is cut short, or its cells are empty.`,
      );
    const at = frame ?? (time === undefined ? Number.NaN : (time - began) / (given === undefined ? whole : step));
    const nearest = Math.round(at);
    if (!(Math.abs(at - nearest) <= (frame === undefined ? UNEVEN : 0)) || nearest < 0)
      throw new GradsimError(
        'poses/time-off-grid',
        frame === undefined
          ? `${where}: the time ${time} is not at a whole number of steps of ${step.toPrecision(4)} s from the first; poses are read at equal steps.`
          : `${where}: frame is ${frame}; it must be a whole number of at least 0.`,
      );
    if (nearest >= room)
      throw new GradsimError(
        'poses/too-many-frames',
        `${where}: ${frame === undefined ? `the time ${time} is ${nearest} steps of ${step.toPrecision(4)} s${between} from the first` : `frame is ${frame}`}; a table may have ${MAX_FRAMES} frames in all, from frame 0 on, those that are missing counted.`,
      );
    if (poses[nearest])
      throw new GradsimError('poses/frame-twice', `${where}: frame ${nearest} of ${name} is there twice.`);
    while (poses.length < nearest) poses.push(null);
    poses[nearest] = pose;
  }
  return { name, frameRate: given ?? 1 / whole, poses };
}

/** Returns the shortest step above 0 between the times of consecutive rows, s; undefined if there is none. */
function shortestStep(
  rows: readonly (Row & { readonly time: number })[],
): { readonly step: number; readonly between: string } | undefined {
  let [step, at] = [Number.POSITIVE_INFINITY, 0];
  for (let k = 1; k < rows.length; k++) {
    const own = rows[k].time - rows[k - 1].time;
    if (own > 0 && own < step) [step, at] = [own, k];
  }
  return at === 0 ? undefined : { step, between: ` (the shortest step, up to ${rows[at].where})` };
}
