import { GradsimError, refuseUnknownOptions } from '@gradsim/core';
import { type Measures, measuredOf, type Value } from '@gradsim/kinds';
import type { JointBounds, Robot } from '@gradsim/robots';
import { ROBOT } from './settings.ts';

const { gravity, motionBand, torqueBand, frictionWidth } = ROBOT.measures;

/** Settings of `gradsim plan ROBOT`. Lists are one number for all joints, or one for each in the order of the file. */
const PLAN: Measures = {
  torqueNoise: {
    what: 'Standard deviation of a sample of the logged torque, N m or N; a number, or one a joint. Required.',
    type: 'numbers',
    default: null,
  },
  seconds: { what: 'Length of the motion, s.', type: 'positive', default: 30 },
  frequency: { what: 'Highest frequency of the motion, Hz.', type: 'positive', default: 1 },
  rate: { what: 'Samples a second of the motion, and of the log.', type: 'positive', default: 200 },
  format: {
    what: 'mcap: the motion as joint states of ROS 2, too.',
    type: ['csv', 'mcap'],
    default: 'csv',
  },
  speed: { what: 'Greatest speed, rad/s or m/s; null: that of the file.', type: 'numbers', default: null },
  acceleration: {
    what: 'Greatest acceleration, rad/s^2 or m/s^2; null: five times the speed within a second.',
    type: 'numbers',
    default: null,
  },
  torque: {
    what: 'Greatest torque, N m or N; null: that of the file, without which there is no bound.',
    type: 'numbers',
    default: null,
  },
  range: {
    what: 'Lower and upper position of all joints, or of each, rad or m, within those of the file; null: those, and a quarter turn either way of a joint without.',
    type: 'numbers',
    default: null,
  },
  clearance: {
    what: 'Least distance of links from each other by the convex hulls of their collision shapes, m; 0: they may touch.',
    type: 'tolerance',
    default: 0.01,
  },
  margin: { what: 'Part of each bound that is left free.', type: 'tolerance', default: 0.05 },
  fixed: {
    what: 'Names of joints that stay still, with commas, such as those of a gripper.',
    type: 'text',
    default: null,
  },
  starts: { what: 'Searches, of which the best is taken.', type: 'positive', default: 2 },
  gravity,
  motionBand,
  torqueBand,
  frictionWidth,
  payload: {
    what: 'Mass of a payload in a second run, kg: gains of torques that it would tell.',
    type: 'positive',
    default: null,
  },
  payloadCentre: ROBOT.measures.payloadCentre,
  payloadLink: ROBOT.measures.payloadLink,
};

/** Periods of the highest frequency in a motion, and samples in one of them and in all. */
const [LEAST_PERIODS, MOST_PERIODS] = [4, 1000];
const [LEAST_SAMPLES, MOST_SAMPLES] = [10, 500_000];

/** Values of the settings. @throws GradsimError for unknown ones, values that they do not take, and a missing noise. */
export function planSettings(given: Readonly<Record<string, string>>): Record<string, Value> {
  refuseUnknownOptions('gradsim plan ROBOT: --set', given, PLAN);
  const values = measuredOf({ name: 'robot', measures: PLAN }, given);
  if (values.torqueNoise === null)
    throw new GradsimError('gradsim/option-missing', 'gradsim plan ROBOT needs --set torqueNoise=N.', {
      hint: 'N is the standard deviation of a sample of the logged torque, N m or N: log the robot at rest, or take that of its data sheet. One for each joint go with commas.',
    });
  const [seconds, frequency, rate] = [values.seconds, values.frequency, values.rate].map(Number);
  if (seconds * frequency < LEAST_PERIODS || seconds * frequency > MOST_PERIODS)
    wrong(
      'seconds',
      String(seconds),
      `${LEAST_PERIODS / frequency} to ${MOST_PERIODS / frequency} s with frequency=${frequency}`,
    );
  if (rate < LEAST_SAMPLES * frequency || rate * seconds > MOST_SAMPLES)
    wrong(
      'rate',
      String(rate),
      `${LEAST_SAMPLES * frequency} to ${MOST_SAMPLES / seconds} Hz with frequency=${frequency} and seconds=${seconds}`,
    );
  if ((values.margin as number) >= 1) wrong('margin', String(values.margin), 'below 1');
  return values;
}

/**
 * Bounds of the joints: those of the file and of settings, less the margin.
 * @throws GradsimError for a joint without a speed or a range, and for lists of another length or sign.
 */
export function boundsOf(robot: Robot, values: Readonly<Record<string, Value>>): JointBounds[] {
  const joints = robot.links.flatMap((link, at) => (link.values.joint === 'fixed' ? [] : [{ ...link, at }]));
  const each = (name: string): number[] | undefined => perJoint(values, name, joints.length);
  const [speeds, accelerations, torques] = ['speed', 'acceleration', 'torque'].map(each);
  const range = rangeOf(values, joints.length);
  const left = 1 - (values.margin as number);
  return joints.map(({ jointName, at, limits = {}, reference = 0, values: { joint } }, j) => {
    const speed = speeds?.[j] ?? limits.speed;
    if (speed === undefined) missing(jointName, 'speed', 'speed=2');
    const free = joint === 'revolute' ? Math.PI / 2 : undefined;
    const lower = Math.max(
      limits.lower ?? Number.NEGATIVE_INFINITY,
      range ? range[j][0] - reference : Number.NEGATIVE_INFINITY,
    );
    const upper = Math.min(
      limits.upper ?? Number.POSITIVE_INFINITY,
      range ? range[j][1] - reference : Number.POSITIVE_INFINITY,
    );
    const [from, to] = [Number.isFinite(lower) ? lower : free && -free, Number.isFinite(upper) ? upper : free];
    if (from === undefined || to === undefined) return missing(jointName, 'range', 'range=-0.5,0.5');
    if (from >= to)
      wrong(
        'range',
        `${from + reference},${to + reference}`,
        `a lower and an upper one within the limits of "${jointName}"`,
      );
    const half = ((to - from) / 2) * left;
    return {
      joint: jointName,
      lower: (from + to) / 2 - half,
      upper: (from + to) / 2 + half,
      speed: left * speed!,
      acceleration: left * (accelerations?.[j] ?? 5 * speed!),
      torque: left * (torques?.[j] ?? effortOf(robot, at)),
    };
  });
}

/** Numbers of a setting by joint, above 0. */
export function perJoint(values: Readonly<Record<string, Value>>, name: string, joints: number): number[] | undefined {
  const given = values[name] as readonly number[] | null;
  if (given === null) return undefined;
  if ((given.length !== 1 && given.length !== joints) || given.some((x) => !(x > 0)))
    wrong(name, given.join(','), `a number above 0 for all, or ${joints}, one for each joint`);
  return Array.from({ length: joints }, (_, j) => given[given.length === 1 ? 0 : j]);
}

function rangeOf({ range }: Readonly<Record<string, Value>>, joints: number): [number, number][] | undefined {
  if (range === null) return undefined;
  const given = range as readonly number[];
  if (given.length !== 2 && given.length !== 2 * joints)
    wrong('range', given.join(','), `a lower and an upper one for all, or ${2 * joints} numbers, two for each joint`);
  return Array.from({ length: joints }, (_, j) => {
    const first = given.length === 2 ? 0 : 2 * j;
    return [given[first], given[first + 1]];
  });
}

/** Greatest torque of the actuators of a joint, which a motor's control bounds, too; infinite without a bound. */
const effortOf = ({ actuators }: Robot, link: number): number => {
  const own = actuators.filter((actuator) => actuator.link === link);
  if (own.length === 0) return Number.POSITIVE_INFINITY;
  return own.reduce((sum, { kind, gear, forceRange, controlRange }) => {
    const ranges = [forceRange, kind === 'motor' ? controlRange : undefined].flatMap((range) => (range ? [range] : []));
    const most = ranges.map(([low, high]) => Math.min(Math.abs(low), Math.abs(high)));
    return sum + Math.abs(gear) * Math.min(...most, Number.POSITIVE_INFINITY);
  }, 0);
};

function missing(joint: string, what: string, example: string): never {
  throw new GradsimError('gradsim/option-missing', `Joint "${joint}" has no limit of its ${what} in the file.`, {
    element: joint,
    hint: `Give one: --set ${example}.`,
  });
}

function wrong(name: string, value: string, takes: string): never {
  throw new GradsimError('gradsim/option-wrong', `--set ${name}=${value}: it takes ${takes}.`, {
    field: `--set ${name}`,
  });
}
