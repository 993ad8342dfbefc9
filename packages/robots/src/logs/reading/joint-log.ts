import { median, type Vector } from '@gradsim/base';
import {
  type Clock,
  evenSteps,
  type Heading,
  numberIn,
  readClock,
  readTable,
  type Table,
  type TableInput,
  timeHeading,
} from '@gradsim/base/tables';
import { GradsimError } from '@gradsim/core';
import type { Actuator, Robot } from '../../robot.ts';
import { axisJoints } from '../axis-joints.ts';
import { followers, groupsOf } from '../coupling/coupled.ts';
import { type BasePoses, type InertialReadings, readBase } from './base-columns.ts';
import { followedIn } from './followed-in.ts';
import { isStill } from './is-still.ts';
import { type Channel, findColumn, isDuty, type JointColumn, jointColumns, withNamesOfRows } from './joint-columns.ts';
import { placeOfUnit } from './place-of-unit.ts';
import { servosOf } from './servo.ts';

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
  /** True if the currents have no signs: below 0 in none of several joints. */
  readonly isUnsigned?: boolean;
  /**
   * True if `torques` has the voltages of motors, or the parts of them that are switched on: they stand for torques that
   * fall with the rate, by the speed-torque line of a DC motor.
   */
  readonly hasVoltages?: boolean;
  /**
   * What a position or velocity controller was asked for, where that is logged in the place of torques, and how torques
   * follow: (asked for - coordinate or rate - bias) / gain. `torques` then has the differences.
   */
  readonly commands?: Commands;
  /** Servos or motors of the robot's file by which commands or voltages become torques, by joint; none of one that follows others without a column. */
  readonly servos?: readonly (Actuator | undefined)[];
  /** Pose of a floating base, or what an inertial unit on it measures. */
  readonly base?: BasePoses;
  readonly inertial?: InertialReadings;
  /** Samples in which something touches a robot on a floating base; without, nothing does. */
  readonly touches?: readonly boolean[];
  /** Known load that the robot carries in this log. */
  readonly payload?: Payload;
  /** Decisions on reading a table, for people: `time in ms; 100 samples a second`. */
  readonly readingNotes?: string;
}

/** Quantity that a log has in the place of torques. */
export interface Commands {
  readonly quantity: 'positions' | 'velocities';
  /** Coordinates or rates that were asked for: [joint][sample], rad or m, rad/s or m/s. */
  readonly commanded: readonly (readonly number[])[];
  /** Command error per torque of each joint, as rad per N m or m/s per N. Default 1. */
  readonly gains?: readonly number[];
  /** Command error of each joint without torque. Default 0. */
  readonly biases?: readonly number[];
}

/** A compact body on a link: its inertia about its own centre is left out. */
export interface Payload {
  /** Name of the link. */
  readonly link: string;
  /** kg. */
  readonly mass: number;
  /** Centre of mass in the link's axes, m. */
  readonly centre: Vector;
}

/** Ratio of a step of time to the median one above which time jumps. */
const MAX_STEP_RATIO = 20;
/** Angle above which a column without a unit is taken for degrees, rad: eight turns. */
const DEGREES = 50;
/** Relative difference between logged velocities and derivatives of positions above which both contradict. */
const MAX_RATE_DIFFERENCE = 0.25;

/** Steps from one sample to the next, in turns, that are those of an angle which begins anew after a turn. */
const WRAP_TURNS = [0.75, 1.25] as const;

/** Remark on a log whose controls become torques by the robot's file. */
const BY_SERVOS = "torques by the servos of the robot's file, or with torqueGain=unknown by gains that are estimated";

/** Samples a second below which the unit of times is asked for, if nothing names it. */
const LEAST_RATE = 10;

/**
 * Reads a recording of a robot's joints from a table of text. Its headings name the columns: `time`, and for each joint with
 * an axis a position and a torque, with the joint's name or its number (`pos_elbow`, `pos2`, `tau2`; `actual_q_0`,
 * `field.position0`, `/joint_states/elbow/position`), and if there is one joint nothing; a velocity, if there is one, is
 * compared with the positions. A unit may follow in brackets or at the end (`pos1 [deg]`, `pos1_deg`); without one, columns
 * are in s, rad or m, rad/s or m/s, N m or N. A current may stand in the place of each torque (`current_elbow`, `tau2 [A]`), a
 * voltage or its part (`voltage2`, `pwm_elbow`), or a commanded position or velocity (`target_q2`, `action.elbow.pos`, `cmd_vel2`).
 * Separators, decimal commas, encodings and clocks are as in all tables; lines that are there twice are left out; angles
 * that begin anew after a turn go on.
 *
 * ```ts
 * const log = readJointLog(await readFile('swing.csv'), robot, 'swing.csv');
 * console.log(log.readingNotes); // time in ms; 100 samples a second
 * ```
 * @param input text, the bytes of a file, or a table that is read already.
 * @throws GradsimError for missing columns, what is no number, a unit of time that its rate contradicts, time that jumps or
 * goes back, voltages without signs, angles that look like degrees, and velocities that contradict the positions.
 */
export function readJointLog(input: TableInput, robot: Robot, name = 'the log'): JointLog {
  const table = readTable(input, { name });
  const joints = axisJoints(robot, true);
  const columns = withNamesOfRows(jointColumns(table, joints), table);
  const find = (channel: Channel, k: number): JointColumn | undefined => findColumn(columns, channel, joints, k);
  const time = timeHeading(table);
  const following = followers(robot);
  const asked = commandColumns(table, joints, following, columns);
  refuseMissing(
    table,
    time,
    joints.filter((joint) => !following.includes(joint)),
    (channel, joint) => {
      const k = joints.indexOf(joint);
      return channel === 'torque' && asked ? asked.columns[k] : find(channel, k);
    },
  );
  const rows = table.rows.filter((row, k) => k === 0 || row.cells.join('\n') !== table.rows[k - 1].cells.join('\n'));
  const clock = readClock(table, time!, { rows, minRowsPerSecond: LEAST_RATE });
  const { seconds, remark } = withEqualSteps(
    clock,
    rows.length < table.rows.length ? table.rows.length - rows.length : 0,
  );
  checkTime(seconds, name, (k) => rows[k].line);
  const read = ({ heading, factor }: JointColumn): number[] =>
    rows.map((row) => {
      const value = numberIn(table, row, heading);
      if (!Number.isNaN(value)) return value * factor;
      throw new GradsimError(
        'robots/log-not-a-number',
        `${name}, line ${row.line}: ${heading.title} is "${row.cells[heading.column] ?? ''}".`,
        { field: heading.title, hint: 'It must be a number. Remove the line, or split the recording there.' },
      );
    });
  const measured = joints.map((joint, k) => {
    const column = find('position', k);
    // Of a joint that follows another one.
    if (!column) return rows.map(() => Number.NaN);
    const values = unwrapped(read(column), robot, joint);
    checkPositions(values, column, robot, joint, name);
    const velocity = find('velocity', k);
    if (velocity && !isStill(values)) checkVelocities(seconds, values, read(velocity), [column, velocity], name);
    return values;
  });
  const positions = followedIn(robot, measured, name);
  if (asked) {
    const { of } = asked;
    const reached = of === 'positions' ? positions : positions.map((own) => ratesOf(seconds, own));
    // A joint that follows others without a column is where it is told to be.
    const commands = {
      quantity: of,
      commanded: asked.columns.map((column, k) => (column ? read(column) : reached[k])),
    };
    const torques = commands.commanded.map((own, k) => own.map((x, s) => x - reached[k][s]));
    const servos = servosOf(robot, of, (k) => asked.columns[k] !== undefined);
    const said = [
      ...(table.source === undefined ? [] : [table.source]),
      remark,
      `commands of ${of}, no torques`,
      ...(servos ? [BY_SERVOS] : []),
    ];
    return {
      name,
      time: seconds,
      positions,
      torques,
      commands,
      ...(servos && { servos }),
      readingNotes: said.join('; '),
    };
  }
  const ofJoints = joints.map((_, k) => find('torque', k));
  const drives = ofJoints.flatMap((column) => column ?? []);
  const { drive } = drives[0];
  const mixed = drives.find((one) => one.drive !== drive);
  if (mixed)
    throw new GradsimError(
      'robots/log-currents-mixed',
      `${name}: ${drives[0].heading.title} is a ${drive}, ${mixed.heading.title} a ${mixed.drive}.`,
      { field: mixed.heading.title, hint: 'Give torques of all joints, or currents of all, or voltages.' },
    );
  const driven = drives.map(read);
  const isUnsigned = drive !== 'torque' && hasNoSigns(driven);
  if (isUnsigned && drive === 'voltage') refuseUnsigned(drives, name);
  const torques = ofJoints.map((column) => driven[drives.indexOf(column!)] ?? rows.map(() => 0));
  const units = [find('position', 0)!, drives[0]].flatMap(({ heading }) => heading.unit?.name ?? []);
  const said = [
    ...(table.source === undefined ? [] : [table.source]),
    remark,
    ...(units.length > 0 ? [units.join(' and ')] : []),
    ...(table.decimalComma ? ['decimal commas'] : []),
    ...(isUnsigned ? ['currents without signs, which the motion gives'] : []),
  ];
  const isVoltage = drive === 'voltage';
  // Parts of a voltage are those of a supply that the file does not say.
  const servos =
    isVoltage && !drives.some(isDuty) ? servosOf(robot, 'voltages', (k) => ofJoints[k] !== undefined) : undefined;
  if (servos) said.push(BY_SERVOS);
  const base = readBase(table, rows);
  if (base.inertial) said.push(`inertial unit of the base at "${placeOfUnit(robot).name}"`);
  const log = { name, time: seconds, positions, torques, readingNotes: said.join('; '), ...base };
  return {
    ...log,
    ...(drive === 'current' && { hasCurrents: true }),
    ...(isUnsigned && { isUnsigned }),
    ...(isVoltage && { hasVoltages: true }),
    ...(servos && { servos }),
  };
}

/**
 * Names of the joints of a robot of which a log has no column, such as those of a gripper; none if the log has columns that fit
 * no joint, since those may be theirs under another name.
 */
export function unloggedJoints(input: TableInput, robot: Robot, name = 'the log'): string[] {
  const table = readTable(input, { name });
  const joints = axisJoints(robot, true);
  const columns = withNamesOfRows(jointColumns(table, joints), table);
  const own = (['position', 'torque'] as const).map((channel) =>
    joints.map((_, k) => findColumn(columns, channel, joints, k)),
  );
  const used = new Set(own.flat());
  if (columns.some((column) => column.channel !== 'velocity' && !used.has(column))) return [];
  const absent = joints.filter((_, k) => own.every((found) => !found[k]));
  const groups = groupsOf(robot);
  const isMoved = (joint: string): boolean =>
    groups.some((group, k) => !absent.includes(joints[k]) && group.some(([other]) => joints[other] === joint));
  return absent.length < joints.length ? absent.filter((joint) => !isMoved(joint)) : [];
}

/**
 * Columns of the positions or velocities that were asked for, of a table that has them of all joints but those that follow others,
 * and torques of none.
 */
function commandColumns(
  table: Table,
  joints: readonly string[],
  following: readonly string[],
  measured: readonly JointColumn[],
): { readonly of: Commands['quantity']; readonly columns: (JointColumn | undefined)[] } | undefined {
  if (measured.some(({ channel }) => channel === 'torque')) return undefined;
  const columns = jointColumns(table, joints, true);
  for (const [of, channel] of [
    ['positions', 'position'],
    ['velocities', 'velocity'],
  ] as const) {
    const found = joints.map((_, k) => findColumn(columns, channel, joints, k));
    if (found.every((column, k) => column || following.includes(joints[k]))) return { of, columns: found };
  }
  return undefined;
}

function refuseMissing(
  { headings, name }: Table,
  time: Heading | undefined,
  joints: readonly string[],
  find: (channel: Channel, joint: string) => JointColumn | undefined,
): void {
  const missing = [
    ...(time ? [] : ['time']),
    ...joints.flatMap((joint) =>
      (['position', 'torque'] as const).flatMap((channel) =>
        find(channel, joint) ? [] : [`${channel} of joint "${joint}"`],
      ),
    ),
  ];
  if (missing.length === 0) return;
  throw new GradsimError('robots/log-column-missing', `${name} has no column for the ${missing.join(', the ')}.`, {
    hint: `Its first line must name them, as in time,${joints.map((_, k) => `pos${k + 1},tau${k + 1}`).join(',')}; it names ${headings.map(({ title }) => title).join(', ') || 'nothing'}. Of a joint that stands still, set type="fixed" in the model.`,
  });
}

/** Times that are rounded so coarsely that some are alike, at the equal steps that they are rounded from. */
function withEqualSteps(
  { seconds, resolution, remark }: Clock,
  repeated: number,
): { readonly seconds: number[]; readonly remark: string } {
  const own = Array.from(seconds);
  const dropped = repeated > 0 ? `, ${repeated} repeated lines left out` : '';
  const isCoarse = own.some((t, k) => k > 0 && t - own[k - 1] < 2 * resolution);
  const even = isCoarse ? evenSteps(own, resolution) : undefined;
  const all = even ? Array.from(even.index, (k) => own[0] + k * even.step) : own;
  const rate = 1 / median(all.slice(1).map((t, k) => t - all[k]));
  return {
    seconds: all,
    remark: `${remark}; ${Number(rate.toPrecision(4))} samples a second${even ? ', evened out' : ''}${dropped}`,
  };
}

function checkTime(time: readonly number[], name: string, line: (sample: number) => number): void {
  if (time.length < 50)
    throw new GradsimError('robots/log-too-short', `${name} has ${time.length} samples; 50 are needed.`);
  const steps = time.slice(1).map((t, k) => t - time[k]);
  const usual = median(steps);
  const wrong = steps.findIndex((step) => !(step > 0) || step > MAX_STEP_RATIO * usual);
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
    if (Math.abs(step) > WRAP_TURNS[0] && Math.abs(step) < WRAP_TURNS[1]) turns -= Math.sign(step);
    return value + 2 * Math.PI * turns;
  });
}

/** Differences of positions over those of times, about each sample. */
const ratesOf = (time: readonly number[], values: readonly number[]): number[] =>
  values.map((_, s) => {
    const [a, b] = [Math.max(s - 1, 0), Math.min(s + 1, values.length - 1)];
    return (values[b] - values[a]) / (time[b] - time[a]);
  });

/** True for currents or voltages of several joints of which none is ever below 0, and some are above. */
const hasNoSigns = (driven: readonly number[][]): boolean =>
  driven.length > 1 && driven.every((own) => own.every((x) => x >= 0)) && driven.some((own) => own.some((x) => x > 0));

/** Refuses voltages without their signs, which back-EMF may have against the torque. */
function refuseUnsigned(columns: readonly JointColumn[], name: string): never {
  throw new GradsimError(
    'robots/log-voltages-unsigned',
    `${name}: none of the voltages, ${columns.map(({ heading }) => heading.title).join(', ')}, is ever below 0.`,
    {
      field: columns[0].heading.title,
      hint: 'Log them with their signs: below 0 where the motor drives the joint backwards. Which way is forwards does not matter.',
    },
  );
}

function checkPositions(
  values: readonly number[],
  { heading, hasUnit }: JointColumn,
  robot: Robot,
  joint: string,
  name: string,
): void {
  const header = heading.title;
  const [least, most] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
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
  [position, velocity]: readonly [JointColumn, JointColumn],
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
  if (Math.abs(factor - 1) < MAX_RATE_DIFFERENCE) return;
  const isTurned = Math.abs(factor + 1) < MAX_RATE_DIFFERENCE;
  const isDegrees =
    Math.abs(factor * (180 / Math.PI) - 1) < MAX_RATE_DIFFERENCE ||
    Math.abs((factor * Math.PI) / 180 - 1) < MAX_RATE_DIFFERENCE;
  throw new GradsimError(
    'robots/log-velocity-apart',
    `${name}: ${position.heading.title} changes ${factor.toPrecision(3)} times as fast as ${velocity.heading.title} says${isTurned ? ': the sign of one is turned' : isDegrees ? ': one is in degrees' : ''}.`,
    {
      field: velocity.heading.title,
      hint: isDegrees
        ? `Name the units, as in "${position.heading.title} [deg]".`
        : 'Correct one of both columns, or remove the velocity.',
    },
  );
}
