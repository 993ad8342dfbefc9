import { type Heading, type Quantity, type Table, unitNames, withUnitAtEnd, wordsOf } from '@gradsim/base/tables';
import { GradsimError } from '@gradsim/core';

/** What a column of a log holds of a joint. */
export type Channel = 'position' | 'velocity' | 'torque';

/** Quantity that drives a joint: a torque, what a motor makes it of, its current, or its voltage or the part of it that is switched on. */
export type Drive = 'torque' | 'current' | 'voltage';

/** A column of a log. */
export interface JointColumn {
  readonly channel: Channel;
  /** Rest of its name, which says the joint: letters and digits of a name, or a number. */
  readonly joint: string;
  readonly factor: number;
  readonly hasUnit: boolean;
  /** Quantity in a column of the channel `torque`. */
  readonly drive: Drive;
  readonly heading: Heading;
}

const CURRENTS = ['currents', 'current'];
const DUTIES = ['pwm', 'duty'];
const VOLTAGES = ['voltages', 'voltage', ...DUTIES];
const CHANNELS: Readonly<Record<Channel, readonly string[]>> = {
  position: ['positions', 'position', 'pos', 'angle', 'angles', 'q'],
  velocity: ['velocities', 'velocity', 'vel', 'dq', 'qd', 'speed'],
  torque: ['torques', 'torque', 'tau', 'effort', 'efforts', 'force', 'moment', ...CURRENTS, ...VOLTAGES],
};
const QUANTITIES: Readonly<Record<Channel, readonly Quantity[]>> = {
  position: ['angle', 'length'],
  velocity: ['rate', 'speed'],
  torque: ['torque', 'force', 'current'],
};
/** Quantities of no column of a joint. */
const OTHERS: readonly Quantity[] = ['pixels', 'acceleration'];
const DRIVES: readonly Drive[] = ['torque', 'current', 'voltage'];
/** Words of what was asked for, not measured. */
const COMMAND_WORDS = [
  'action',
  'target',
  'desired',
  'commanded',
  'command',
  'cmd',
  'reference',
  'ref',
  'setpoint',
  'goal',
];
/** Words of what is neither measured nor asked for. */
const PASSED_OVER = ['error'];
/** Words of paths that say no joint. */
const NAMELESS_WORDS = ['field', 'joint', 'joints', 'states', 'state', 'actual', 'measured', 'msg', 'data', 'robot'];

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/**
 * Columns of joints among those of a table: `pos_elbow`, `elbow/position`, `actual_q_0`, `field.position0`, with a unit in
 * brackets or at the end. Columns of what was commanded are passed over, or are those that are meant.
 * @throws for a unit that is not known, or is none of what the column holds.
 */
export function jointColumns({ headings }: Table, joints: readonly string[], isCommanded = false): JointColumn[] {
  return headings.flatMap((own) => {
    const heading = withUnitAtEnd(own, ({ quantity }, text) => !OTHERS.includes(quantity) && !isOfJoint(text, joints));
    const words = wordsOf(heading.name);
    const found = channelAmong(words);
    if (!found) return [];
    const { channel, at } = found;
    const all = words.filter((_, k) => k !== at);
    const isMeasured = isOfJoint(all.join(''), joints) || !all.some((word) => COMMAND_WORDS.includes(word));
    if (isMeasured === isCommanded || all.some((word) => PASSED_OVER.includes(word))) return [];
    const rest = isCommanded ? all.filter((word) => !COMMAND_WORDS.includes(word)) : all;
    const isNamed = joints.some((joint) => lettersOf(joint) === rest.join(''));
    const joint = isNamed ? rest : rest.filter((word) => !NAMELESS_WORDS.includes(word));
    const { unit, unitText } = heading;
    if (unitText !== undefined && unit?.quantity !== 'none' && !(unit && QUANTITIES[channel].includes(unit.quantity)))
      throw new GradsimError('robots/log-unit-unknown', `The column "${own.title}" is in "${unitText}".`, {
        field: own.title,
        hint: `Units known here: ${unitNames(...QUANTITIES[channel]).join(', ')}.`,
      });
    const isCurrent = CURRENTS.includes(words[at]) || unit?.quantity === 'current';
    const drive = isCurrent ? 'current' : VOLTAGES.includes(words[at]) ? 'voltage' : 'torque';
    const isNone = unit === undefined || unit.quantity === 'none';
    return [{ channel, joint: joint.join(''), factor: unit?.factor ?? 1, hasUnit: !isNone, drive, heading: own }];
  });
}

/** True for a column of the parts of voltages that are switched on. */
export const isDuty = ({ heading }: JointColumn): boolean =>
  wordsOf(heading.name).some((word) => DUTIES.includes(word));

/** A single letter may be that of a joint, and any word a part of its name. */
const isOfJoint = (text: string, joints: readonly string[]): boolean =>
  text === 'a' || joints.some((joint) => wordsOf(joint).includes(text) || lettersOf(joint) === lettersOf(text));

/** The word that says what a column holds: the last, the first, or one between. */
function channelAmong(words: readonly string[]): { readonly channel: Channel; readonly at: number } | undefined {
  const isNumber = /^\d+$/.test(words.at(-1) ?? '');
  const last = words.length - (isNumber ? 2 : 1);
  for (const at of [last, 0, ...words.keys()])
    for (const [channel, names] of Object.entries(CHANNELS) as [Channel, readonly string[]][])
      if (names.includes(words[at])) return { channel, at };
  return undefined;
}

/**
 * Finds the column of a joint, by its name or by its number, from 1, or from 0 where there is a column of that number. Of
 * several of what drives it, the one that tells most is found: torque, current, voltage.
 */
export function findColumn(
  columns: readonly JointColumn[],
  channel: Channel,
  joints: readonly string[],
  k: number,
): JointColumn | undefined {
  const own = columns.filter((column) => column.channel === channel);
  const first = own.some(({ joint }) => joint === '0') ? 0 : 1;
  const found = own.filter(
    ({ joint }) =>
      joint === lettersOf(joints[k]) || joint === String(k + first) || (joint === '' && joints.length === 1),
  );
  return DRIVES.map((drive) => found.find((column) => column.drive === drive)).find((column) => column !== undefined);
}

/** Numbers of joints stand for names that the rows themselves have, as `field.name0` beside `field.position0` (rostopic). */
export function withNamesOfRows(columns: readonly JointColumn[], { headings, rows }: Table): JointColumn[] {
  const names = new Map<string, string>();
  for (const { name, column: at } of headings) {
    const words = wordsOf(name);
    const cell = rows[0]?.cells[at] ?? '';
    if (words.at(-2) === 'name' && /^\d+$/.test(words.at(-1)!) && cell !== '')
      names.set(words.at(-1)!, lettersOf(cell));
  }
  return columns.map((column) => ({ ...column, joint: names.get(column.joint) ?? column.joint }));
}

/**
 * Names or numbers of the joints of which a table has both a position and a torque, without a robot; none if it is no log.
 *
 * ```ts
 * loggedJoints(readTable(text)); // ['shoulder', 'elbow']
 * ```
 */
export function loggedJoints(table: Table): string[] {
  const columns = withNamesOfRows(jointColumns(table, []), table);
  const of = (channel: Channel) => new Set(columns.filter((one) => one.channel === channel).map(({ joint }) => joint));
  const torques = of('torque');
  return [...of('position')].filter((joint) => torques.has(joint)).map((joint) => joint || 'the joint');
}
