import { GradsimError } from '@gradsim/core';
import { median } from '@gradsim/numeric';
import type { Robot } from '../robot.ts';
import { axisJoints } from './axis-joints.ts';

/** A recording of a robot: its joints' motion and the torques of its motors. */
export interface JointLog {
  readonly name: string;
  /** Time of each sample, s, increasing. */
  readonly time: readonly number[];
  /** Coordinate of each joint with an axis, in the order of the robot's links: [joint][sample], rad or m. */
  readonly positions: readonly (readonly number[])[];
  /** Torque, N m, or force, N, of the motor at each joint: [joint][sample]. */
  readonly torques: readonly (readonly number[])[];
  /** True if `torques` has the currents of motors, A. */
  readonly hasCurrents?: boolean;
}

type Channel = 'time' | 'position' | 'velocity' | 'torque';

const CURRENTS = ['currents', 'current'];
const WORDS: Readonly<Record<Channel, readonly string[]>> = {
  time: ['timestamp', 'time', 't'],
  position: ['positions', 'position', 'pos', 'angle', 'q'],
  velocity: ['velocities', 'velocity', 'vel', 'dq', 'qd'],
  torque: ['torques', 'torque', 'tau', 'effort', 'force', ...CURRENTS],
};
/** Factor from a unit in a column's name, as in `pos1 [deg]`, to the unit used here. */
const UNITS: Readonly<Record<string, number>> = {
  s: 1,
  ms: 1e-3,
  us: 1e-6,
  ns: 1e-9,
  rad: 1,
  deg: Math.PI / 180,
  m: 1,
  mm: 1e-3,
  'rad/s': 1,
  'deg/s': Math.PI / 180,
  'm/s': 1,
  nm: 1,
  n: 1,
  mnm: 1e-3,
  a: 1,
  ma: 1e-3,
};
const CURRENT_UNITS = ['a', 'ma'];

/** Ratio of a step of time to the median one above which time jumps. */
const JUMP = 20;
/** Range of a joint's coordinate below which it counts as still, rad or m. */
const STILL = 1e-3;
/** Angle above which a column without a unit is taken for degrees, rad: eight turns. */
const DEGREES = 50;
/** Relative difference between logged velocities and derivatives of positions above which both contradict. */
const APART = 0.25;

/** Marks between cells; where a file has one of the first two, a comma is that of decimals. */
const SEPARATORS = [';', '\t', ','];
/** Steps from one sample to the next, in turns, that are those of an angle which begins anew after a turn. */
const WRAP = [0.75, 1.25] as const;

interface Column {
  readonly channel: Channel;
  /** Rest of its name, which says the joint: a name, a number from 1, or nothing. */
  readonly joint: string;
  readonly factor: number;
  readonly hasUnit: boolean;
  readonly isCurrent: boolean;
  readonly at: number;
  readonly header: string;
}

/**
 * Reads a recording of a robot's joints from a CSV. Its first line names the columns: `time`, and for each joint with
 * an axis a position and a torque, with the joint's name or its number from 1 (`pos_elbow`, `pos2`, `tau2`), and if
 * there is one joint nothing; a velocity, if there is one, is compared with the positions. A unit may follow in brackets
 * or at the end (`pos1 [deg]`, `pos1_deg`); without one, columns are in s, rad or m, rad/s or m/s, N m or N. A current may stand
 * in the place of each torque (`current_elbow`, `tau2 [A]`). Cells end with
 * commas, semicolons or tabs; angles that begin anew after a turn go on.
 *
 * ```ts
 * const log = readJointLog(text, robot, 'swing.csv');
 * ```
 * @throws GradsimError for missing columns, what is no number, time that jumps or goes back, a joint that does not
 * move, angles that look like degrees, and velocities that contradict the positions.
 */
export function readJointLog(text: string, robot: Robot, name = 'the log'): JointLog {
  const whole = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const header = whole.find((line) => line.trim() !== '' && !line.trim().startsWith('#')) ?? '';
  const separator = SEPARATORS.find((mark) => header.includes(mark)) ?? ',';
  const lines = whole
    .map((line, k) => ({
      cells: line.split(separator).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1')),
      at: k + 1,
    }))
    .filter(({ cells }) => cells.some((cell) => cell !== '') && !cells[0].startsWith('#'));
  const joints = axisJoints(robot);
  const columns = (lines[0]?.cells ?? []).flatMap((header, k) => columnOf(header, k, joints));
  const find = (channel: Channel, joint: number): Column | undefined =>
    columns.find(
      (column) =>
        column.channel === channel &&
        (channel === 'time' ||
          column.joint === joints[joint].toLowerCase() ||
          column.joint === String(joint + 1) ||
          (column.joint === '' && joints.length === 1)),
    );
  const wanted = [
    ['time', 0] as const,
    ...joints.flatMap((_, k) => [['position', k] as const, ['torque', k] as const]),
  ];
  const missing = wanted.filter(([channel, k]) => !find(channel, k));
  if (missing.length > 0)
    throw new GradsimError(
      'robots/log-column-missing',
      `${name} has no column for the ${missing.map(([channel, k]) => (channel === 'time' ? 'time' : `${channel} of joint "${joints[k]}"`)).join(', the ')}.`,
      {
        hint: `Its first line must name them, as in time,${joints.map((_, k) => `pos${k + 1},tau${k + 1}`).join(',')}; it names ${lines[0]?.cells.join(', ') || 'nothing'}.`,
      },
    );
  const read = (column: Column): number[] =>
    lines.slice(1).map(({ cells, at }) => {
      const cell = cells[column.at] ?? '';
      const value = Number(separator === ',' ? cell : cell.replace(',', '.'));
      if (cell === '' || !Number.isFinite(value))
        throw new GradsimError('robots/log-not-a-number', `${name}, line ${at}: ${column.header} is "${cell}".`, {
          field: column.header,
          hint: 'It must be a number. Remove the line, or split the recording there.',
        });
      return value * column.factor;
    });
  const time = read(find('time', 0) as Column);
  checkTime(time, name, (k) => lines[k + 1].at);
  const positions = joints.map((joint, k) => {
    const column = find('position', k) as Column;
    const values = unwrapped(read(column), robot, joint);
    checkPositions(values, column, robot, joint, name);
    const velocity = find('velocity', k);
    if (velocity) checkVelocities(time, values, read(velocity), [column, velocity], name);
    return values;
  });
  const drives = joints.map((_, k) => find('torque', k) as Column);
  const mixed = drives.find(({ isCurrent }) => isCurrent !== drives[0].isCurrent);
  if (mixed)
    throw new GradsimError(
      'robots/log-currents-mixed',
      `${name}: ${drives[0].header} is a ${drives[0].isCurrent ? 'current' : 'torque'}, ${mixed.header} is not.`,
      { field: mixed.header, hint: 'Give torques of all joints, or currents of all.' },
    );
  const log = { name, time, positions, torques: drives.map(read) };
  return drives[0].isCurrent ? { ...log, hasCurrents: true } : log;
}

function columnOf(header: string, at: number, joints: readonly string[]): Column[] {
  const bracket = /[[(]([^\][()]*)[\])]\s*$/.exec(header) ?? unitAtEnd(header, joints);
  const unit = bracket?.[1].toLowerCase().replace(/[\s·*]/g, '');
  const bare = (bracket ? header.slice(0, bracket.index) : header).trim().toLowerCase();
  if (unit !== undefined && !(unit in UNITS))
    throw new GradsimError('robots/log-unit-unknown', `The column "${header}" is in "${unit}".`, {
      field: header,
      hint: `Units known here: ${Object.keys(UNITS).join(', ')}.`,
    });
  for (const [channel, words] of Object.entries(WORDS) as [Channel, readonly string[]][])
    for (const word of words) {
      const joint = partBeside(bare, word);
      if (joint === undefined || (channel === 'time' && joint !== '')) continue;
      const isCurrent = CURRENTS.includes(word) || CURRENT_UNITS.includes(unit ?? '');
      return [{ channel, joint, factor: UNITS[unit ?? 's'], hasUnit: unit !== undefined, isCurrent, at, header }];
    }
  return [];
}

/** Finds a unit at the end of a name, as in `angle_elbow_deg`, where no joint is named so. */
function unitAtEnd(header: string, joints: readonly string[]): RegExpExecArray | null {
  const found = /[\s_.-]([a-z]+)\s*$/i.exec(header);
  const unit = found?.[1].toLowerCase() ?? '';
  // A single letter may be that of a joint.
  return unit in UNITS &&
    unit !== 'a' &&
    !joints.some((joint) =>
      joint
        .toLowerCase()
        .split(/[\s_.-]/)
        .includes(unit),
    )
    ? found
    : null;
}

/** Returns what a name has before or after a word, without separators, or undefined if it lacks the word there. */
function partBeside(name: string, word: string): string | undefined {
  if (name === word) return '';
  const after = name.startsWith(word) ? name.slice(word.length) : undefined;
  if (after !== undefined && /^(?:[\s_.-]|\d)/.test(after)) return after.replace(/^[\s_.-]+/, '');
  const before = name.endsWith(word) ? name.slice(0, -word.length) : undefined;
  return before !== undefined && /[\s_.-]$/.test(before) ? before.replace(/[\s_.-]+$/, '') : undefined;
}

function checkTime(time: readonly number[], name: string, line: (sample: number) => number): void {
  if (time.length < 50)
    throw new GradsimError('robots/log-too-short', `${name} has ${time.length} samples; 50 are needed.`);
  const steps = time.slice(1).map((t, k) => t - time[k]);
  const usual = median(steps);
  const wrong = steps.findIndex((step) => !(step > 0) || step > JUMP * usual);
  if (wrong < 0) return;
  throw new GradsimError(
    'robots/log-time-jumps',
    `${name}, line ${line(wrong + 1)}: time goes from ${time[wrong]} to ${time[wrong + 1]} s, while it usually advances by ${usual.toPrecision(3)} s.`,
    {
      field: 'time',
      hint:
        steps[wrong] === 0 ? 'Remove one of both lines.' : 'Split the recording there: each part is a log of its own.',
    },
  );
}

/** Angles of a joint that turns without the steps by which they begin anew after a turn. */
function unwrapped(values: readonly number[], { links }: Robot, joint: string): number[] {
  const kind = links.find(({ jointName }) => jointName === joint)?.values.joint;
  let turns = 0;
  return values.map((value, k) => {
    const step = kind === 'revolute' && k > 0 ? (value - values[k - 1]) / (2 * Math.PI) : 0;
    if (Math.abs(step) > WRAP[0] && Math.abs(step) < WRAP[1]) turns -= Math.sign(step);
    return value + 2 * Math.PI * turns;
  });
}

function checkPositions(
  values: readonly number[],
  { header, hasUnit }: Column,
  robot: Robot,
  joint: string,
  name: string,
): void {
  const [least, most] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  if (most - least < STILL)
    throw new GradsimError(
      'robots/log-joint-still',
      `${name}: joint "${joint}" never moves; ${header} stays between ${least} and ${most}.`,
      { field: header, hint: 'Give a recording in which it moves, or a model in which the joint is fixed.' },
    );
  const turns = robot.links.some(
    ({ jointName, values: { joint: kind } }) => jointName === joint && kind === 'revolute',
  );
  if (turns && !hasUnit && Math.max(most, -least) > DEGREES)
    throw new GradsimError(
      'robots/log-unit-unclear',
      `${name}: ${header} reaches ${Math.max(most, -least)}, which would be ${(Math.max(most, -least) / (2 * Math.PI)).toFixed(0)} turns if it is in rad.`,
      { field: header, hint: `Name the unit: "${header} [deg]" or "${header} [rad]".` },
    );
}

/** Compares velocities with differences of positions by the factor between them: 1 if both agree. */
function checkVelocities(
  time: readonly number[],
  positions: readonly number[],
  velocities: readonly number[],
  [position, velocity]: readonly [Column, Column],
  name: string,
): void {
  // Differences over several samples, so that steps of an encoder do not count.
  const reach = 4;
  let [both, own] = [0, 0];
  for (let k = reach; k + reach < time.length; k++) {
    const rate = (positions[k + reach] - positions[k - reach]) / (time[k + reach] - time[k - reach]);
    let usual = 0;
    for (let i = -reach; i <= reach; i++) usual += velocities[k + i] / (2 * reach + 1);
    both += rate * usual;
    own += usual * usual;
  }
  const factor = own > 0 ? both / own : 1;
  if (Math.abs(factor - 1) < APART) return;
  const isTurned = Math.abs(factor + 1) < APART;
  const isDegrees = Math.abs(factor * (180 / Math.PI) - 1) < APART || Math.abs((factor * Math.PI) / 180 - 1) < APART;
  throw new GradsimError(
    'robots/log-velocity-apart',
    `${name}: ${position.header} changes ${factor.toPrecision(3)} times as fast as ${velocity.header} says${isTurned ? ': the sign of one is turned' : isDegrees ? ': one is in degrees' : ''}.`,
    {
      field: velocity.header,
      hint: isDegrees
        ? `Name the units, as in "${position.header} [deg]".`
        : 'Correct one of both columns, or remove the velocity.',
    },
  );
}
