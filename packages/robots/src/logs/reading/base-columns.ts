import { median, sumOfSquares } from '@gradsim/base';
import {
  type Heading,
  numberIn,
  type Quantity,
  readTable,
  type Table,
  type TableInput,
  unitNames,
  wordsOf,
} from '@gradsim/base/tables';
import { GradsimError } from '@gradsim/core';

/** Pose of a floating base in each sample: position, m, and orientation from its axes to the world's, x, y, z, w. */
export interface BasePoses {
  readonly position: readonly (readonly number[])[];
  readonly orientation: readonly (readonly number[])[];
}

/** Readings of a gyroscope and an accelerometer that are fixed to a floating base, in their own axes: [axis][sample]. */
export interface InertialReadings {
  /** Angular rate, rad/s. */
  readonly rates: readonly (readonly number[])[];
  /** Acceleration less gravity, m/s^2: 9.81 upwards at rest, 0 in free fall. */
  readonly accelerations: readonly (readonly number[])[];
}

const AXES = ['x', 'y', 'z'];
const POSE = [...AXES, 'qx', 'qy', 'qz', 'qw'];
const INERTIAL = ['gyro', 'acc'].flatMap((of) => AXES.map((axis) => `${of}${axis}`));
/** Quantity of a column of a base. */
const quantityOf = (of: string): Quantity =>
  AXES.includes(of) ? 'length' : of.startsWith('gyro') ? 'rate' : of.startsWith('acc') ? 'acceleration' : 'none';
/** Words of columns that say whether a foot touches: 0 in the air. */
const TOUCHES = ['contact', 'contacts', 'touch', 'touches'];
/** Greatest deviation of a quaternion's length from 1. */
const UNIT = 0.05;
/** Usual size of accelerations of a robot whose feet touch, if they are in units of gravity: hops push with some of them. */
const OF_GRAVITY = [0.3, 4] as const;
/** Angular rate of a base, root mean square, above which a gyroscope without a unit may be in degrees, rad/s. */
const MAX_USUAL_RATE = 8;

const baseHeading = ({ headings }: Table, of: string): Heading | undefined =>
  headings.find(({ name }) => {
    const words = wordsOf(name);
    return words[0] === 'base' && words.slice(1).join('') === of;
  });

/** True if a table of a log has a column of the pose of a base, or of its inertial unit. */
export const hasBase = (input: TableInput, name: string): boolean =>
  [POSE, INERTIAL].some(([first]) => baseHeading(readTable(input, { name }), first) !== undefined);

/** True for a column that says whether a foot touches. */
const isTouch = ({ name }: Heading): boolean => wordsOf(name).some((word) => TOUCHES.includes(word));

/**
 * Reads the pose of the base, or else its rates and accelerations by an inertial unit, and the samples in which a column of a
 * contact is not 0; nothing from a table without.
 * @throws for some of the columns of either, for quaternions that are none, and for accelerations in units of gravity and rates
 * in degrees that do not say so.
 */
export function readBase(
  table: Table,
  rows: Table['rows'],
): { readonly base?: BasePoses; readonly inertial?: InertialReadings; readonly touches?: readonly boolean[] } {
  if (!hasBase(table, table.name)) return {};
  const names = baseHeading(table, POSE[0]) ? POSE : INERTIAL;
  const found = names.map((of) => baseHeading(table, of));
  const missing = names.filter((_, k) => found[k] === undefined);
  if (missing.length > 0)
    throw new GradsimError(
      'robots/log-column-missing',
      `${table.name} has no column for ${missing.map((of) => `base_${of.replace(/^(gyro|acc)/, '$1_')}`).join(', ')}.`,
      {
        hint: 'A base has base_x, base_y, base_z (m) and base_qx, base_qy, base_qz, base_qw, or base_gyro_x, base_gyro_y, base_gyro_z (rad/s) and base_acc_x, base_acc_y, base_acc_z (m/s^2).',
      },
    );
  for (const [k, of] of names.entries()) {
    const { unit, unitText, title } = found[k]!;
    if (unitText !== undefined && unit?.quantity !== quantityOf(of))
      throw new GradsimError('robots/log-unit-unknown', `The column "${title}" is in "${unitText}".`, {
        field: title,
        hint: `Units known here: ${unitNames(quantityOf(of)).join(', ')}.`,
      });
  }
  const columnOf = (heading: Heading): number[] =>
    rows.map((row) => {
      const value = numberIn(table, row, heading);
      if (!Number.isNaN(value)) return value * (heading.unit?.factor ?? 1);
      throw new GradsimError(
        'robots/log-not-a-number',
        `${table.name}, line ${row.line}: ${heading.title} is "${row.cells[heading.column] ?? ''}".`,
        { field: heading.title, hint: 'It must be a number. Remove the line, or split the recording there.' },
      );
    });
  const all = found.map((heading) => columnOf(heading!));
  const feet = table.headings.filter(isTouch).map(columnOf);
  const touches = feet.length > 0 ? rows.map((_, s) => feet.some((of) => of[s] !== 0)) : undefined;
  if (names === INERTIAL) {
    const [rates, accelerations] = [all.slice(0, 3), all.slice(3)];
    if (!found[0]?.unit) refuseOfDegrees(rates, found[0]!, table.name);
    if (touches && !found[3]?.unit) refuseOfGravity(accelerations, touches, found[3]!, table.name);
    return { inertial: { rates, accelerations }, ...(touches && { touches }) };
  }
  const [position, orientation] = [all.slice(0, 3), all.slice(3)];
  const odd = rows.findIndex((_, s) => Math.abs(Math.hypot(...orientation.map((of) => of[s])) - 1) > UNIT);
  if (odd >= 0)
    throw new GradsimError(
      'robots/log-no-rotation',
      `${table.name}, line ${rows[odd].line}: base_qx to base_qw are (${orientation.map((of) => of[odd]).join(', ')}), which is no rotation.`,
      { field: 'base_qx', hint: 'Give a quaternion of length 1, w last.' },
    );
  return { base: { position, orientation }, ...(touches && { touches }) };
}

/** Refuses rates without a unit at which a base would turn more than once a second. */
function refuseOfDegrees(rates: InertialReadings['rates'], { title }: Heading, name: string): void {
  const usual = Math.sqrt(rates.reduce((sum, of) => sum + sumOfSquares(of), 0) / rates[0].length);
  if (usual < MAX_USUAL_RATE) return;
  throw new GradsimError(
    'robots/log-unit-unclear',
    `${name}: rates of the base are ${usual.toPrecision(3)}, root mean square, which is ${(usual / (2 * Math.PI)).toPrecision(2)} turns a second if they are in rad/s.`,
    { field: title, hint: `Name the unit: "${title} [deg/s]" or "${title} [rad/s]".` },
  );
}

/** Refuses accelerations without a unit that are about 1 where feet touch. */
function refuseOfGravity(
  accelerations: readonly (readonly number[])[],
  touches: readonly boolean[],
  { title }: Heading,
  name: string,
): void {
  const sizes = touches.flatMap((touching, s) => (touching ? [Math.hypot(...accelerations.map((of) => of[s]))] : []));
  const usual = median(sizes);
  if (!(usual > OF_GRAVITY[0] && usual < OF_GRAVITY[1])) return;
  throw new GradsimError(
    'robots/log-unit-unclear',
    `${name}: accelerations of the base are ${usual.toPrecision(3)} in the median where feet touch, which is less than half of gravity if they are in m/s^2.`,
    {
      field: title,
      hint: `Name the unit: "${title} [g]" or "${title} [m/s^2]". At rest an accelerometer reads 9.81 m/s^2 upwards.`,
    },
  );
}
