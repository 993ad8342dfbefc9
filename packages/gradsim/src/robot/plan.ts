import { basename, relative } from 'node:path';
import { mean, nullIfInfinite, type Vector } from '@gradsim/base';
import { GradsimError } from '@gradsim/core';
import { lbfgs } from '@gradsim/optim';
import { type JointMotion, writeJointStates } from '@gradsim/recordings/files';
import {
  axisJoints,
  type Excitation,
  type JointBounds,
  planExcitation,
  type Robot,
  refuseLoops,
  refuseMimics,
  withFixedJoints,
} from '@gradsim/robots';
import type { PlanCommandOptions } from '../experiment/plan-options.ts';
import { OF_PLANS, removeEarlier } from '../run/earlier.ts';
import { chooseFolder, takeFolder } from '../run/folder.ts';
import { alignColumns } from '../terminal/align-columns.ts';
import { formatNumber, formatUnit } from '../terminal/numbers.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { boundsOf, perJoint, planSettings } from './plan-settings.ts';
import { type RobotFile, readRobotFile } from './read-files.ts';
import { payloadOf } from './settings.ts';

/** True for the name of a robot's file, which no experiment has. */
export const isRobotFile = (name: string): boolean => /\.(urdf|xml|mjcf)$/i.test(name);

/** Evaluations of a search, at most. */
const MAX_EVALUATIONS = 150;

/**
 * `gradsim plan ROBOT`: plans the motion of a log for `gradsim new robot`, and foretells the standard errors.
 * @throws before anything is written, for options of experiments, settings and files.
 */
export async function planRobot(name: string, options: PlanCommandOptions, terminal: Terminal): Promise<number> {
  const { json = false, force = false, out } = options;
  refuseOfExperiments(options);
  const values = planSettings(options.set);
  const { file, why } = await readWithShapes(name, values.clearance as number);
  const fixed = typeof values.fixed === 'string' ? values.fixed.split(',').map((joint) => joint.trim()) : [];
  refuseUnknownJoints(file.robot, fixed);
  const robot = withFixedJoints(file.robot, fixed);
  refuseLoops(robot, 'and no motion is planned for it');
  refuseMimics(robot);
  axisJoints(robot);
  const bounds = boundsOf(robot, values);
  const payload = payloadOf(values, robot, values.payload === null ? 0 : 1);
  const folder = `plan-${basename(name).replace(/\.[^.]*$/, '')}`;
  chooseFolder(out, folder, force);
  for (const line of alignColumns(boundRows(robot, bounds))) terminal.say(line);
  terminal.say('Searching for the motion.');
  const planned = planExcitation(
    robot,
    {
      bounds,
      torqueNoise: perJoint(values, 'torqueNoise', bounds.length)!,
      gravity: (values.gravity as Vector | null) ?? robot.gravity ?? [0, 0, -9.81],
      ...(payload && { payload }),
      ...numbersOf(values, [
        'seconds',
        'frequency',
        'rate',
        'motionBand',
        'torqueBand',
        'frictionWidth',
        'starts',
        'clearance',
      ]),
    },
    minimise,
  );
  const parameters = planned.bars.map(({ name: parameter, unit, standardError }) => ({
    name: parameter,
    unit,
    standardError,
    twice: barOf(planned.predictedIfRunTwice, parameter),
    chirp: barOf(planned.chirp, parameter),
  }));
  const logs = parameters.flatMap(({ standardError, chirp }) =>
    chirp === null ? [] : [Math.log(chirp / standardError)],
  );
  const ratio = Math.exp(mean(logs));
  const told = {
    plan: 'robot',
    model: name,
    settings: values,
    bounds: bounds.map((own) => ({ ...own, torque: nullIfInfinite(own.torque) })),
    parameters,
    chirpOverPlan: logs.length > 0 ? ratio : null,
    ...(planned.gains && { gains: planned.gains.map(nullIfInfinite) }),
    clearance: { isKept: why === undefined, ...(why !== undefined && { why }), untold: planned.uncheckedPairs },
  };

  const mcap = values.format === 'mcap' ? await writeJointStates(jointMotion(robot, planned), '/plan') : undefined;

  const files = takeFolder(out, folder, force);
  try {
    for (const remark of files.remarks) terminal.say(remark);
    if (force) removeEarlier(files.path, OF_PLANS, [name]);
    files.write('plan.json', `${JSON.stringify(told, null, 2)}\n`);
    files.write('motion.csv', csvOf(robot, planned));
    if (mcap) files.write('motion.mcap', mcap);
  } finally {
    files.close();
  }
  if (json) terminal.print(JSON.stringify(told));
  const say = json ? terminal.say : terminal.print;
  const cell = (x: number | null): string => (x === null ? 'not determined' : formatNumber(x, 2));
  const rows = parameters.map(({ name: parameter, unit, standardError, twice, chirp }) => [
    parameter,
    ...[standardError, twice, chirp].map(cell),
    formatUnit(unit),
  ]);
  for (const line of alignColumns([['standard error of', 'planned', 'run twice', 'chirp', 'unit'], ...rows])) say(line);
  const lost = parameters.length - logs.length;
  say(
    `A chirp of all joints at once, as long and within the same bounds, ${[
      ...(logs.length > 0 ? [`gives standard errors ${formatNumber(ratio, 2)} times as large (geometric mean)`] : []),
      ...(lost > 0 ? [`does not determine ${lost} of ${parameters.length}`] : []),
    ].join(', and ')}.`,
  );
  for (const line of gainLines(bounds, planned.gains)) say(line);
  for (const line of clearanceLines(values.clearance as number, why, planned.uncheckedPairs)) say(line);
  const motion = relative('.', files.join('motion.csv'));
  terminal.say(`Motion: ${motion}. Once it is logged: gradsim new robot --model ${name} --log LOG`);
  return 0;
}

function minimise(
  start: Float64Array,
  evaluate: (x: Float64Array) => { readonly loss: number; readonly gradient: Float64Array },
): Float64Array {
  const descent = lbfgs(start, { tolerance: 1e-5 });
  for (let k = 0; k < MAX_EVALUATIONS && !descent.isDone; k++) {
    const { loss, gradient } = evaluate(descent.point);
    descent.acceptEvaluation(loss, gradient);
  }
  return descent.point;
}

const barOf = (bars: Excitation['bars'], name: string): number | null =>
  nullIfInfinite(bars.find((bar) => bar.name === name)?.standardError ?? Number.POSITIVE_INFINITY);

const numbersOf = <N extends string>(
  values: Readonly<Record<string, unknown>>,
  names: readonly N[],
): Record<N, number> => Object.fromEntries(names.map((name) => [name, values[name]])) as Record<N, number>;

/** The motion with positions as the file has them. */
function jointMotion({ links }: Robot, { motion, torques }: Excitation): JointMotion {
  const joints = links.filter(({ values }) => values.joint !== 'fixed');
  return {
    names: joints.map(({ jointName }) => jointName),
    time: motion.time,
    positions: motion.positions.map((own, j) => own.map((x) => x + (joints[j].reference ?? 0))),
    velocities: motion.rates,
    efforts: torques,
  };
}

/** Table of the motion: positions of the file, rates, accelerations, and torques by the model. */
function csvOf(robot: Robot, planned: Excitation): string {
  const { names, time, positions, velocities, efforts } = jointMotion(robot, planned);
  const { accelerations } = planned.motion;
  const head = names.flatMap((name) => ['pos', 'vel', 'acc', 'tau'].map((of) => `${of}_${name}`));
  const rows = Array.from(time, (t, s) => {
    const cells = names.flatMap((_, j) =>
      [positions[j], velocities[j], accelerations[j], efforts[j]].map((own) => own[s].toFixed(6)),
    );
    return [Number(t.toFixed(9)), ...cells].join(',');
  });
  return `${[['time', ...head].join(','), ...rows].join('\n')}\n`;
}

function boundRows({ links }: Robot, bounds: readonly JointBounds[]): string[][] {
  const joints = links.filter(({ values }) => values.joint !== 'fixed');
  return [
    ['joint', 'from', 'to', 'speed', 'acceleration', 'torque', 'of'],
    ...bounds.map(({ joint, lower, upper, speed, acceleration, torque }, j) => {
      const { reference = 0, values } = joints[j];
      const unit = values.joint === 'prismatic' ? 'm, s, N' : 'rad, s, N m';
      const cells = [lower + reference, upper + reference, speed, acceleration].map((x) => formatNumber(x, 3));
      return [joint, ...cells, Number.isFinite(torque) ? formatNumber(torque, 3) : 'no bound', unit];
    }),
  ];
}

/**
 * Reads a robot with its collision shapes, or without, where these cannot be read or are not needed.
 * @returns why it is without.
 */
async function readWithShapes(
  name: string,
  clearance: number,
): Promise<{ readonly file: RobotFile; readonly why?: string }> {
  if (clearance === 0) return { file: await readRobotFile(name), why: 'clearance=0' };
  try {
    const file = await readRobotFile(name, [], 'collision');
    const heavy = file.robot.links.filter(({ values }) => values.mass > 0);
    const bare = heavy.filter(({ values }) => !values.mesh);
    const which = bare.length === heavy.length ? 'any link' : bare.map((link) => link.name).join(', ');
    const why = bare.length > 0 ? `the file has no collision shape of ${which}` : undefined;
    return { file, ...(why !== undefined && { why }) };
  } catch (cause) {
    return { file: await readRobotFile(name), why: (cause as Error).message };
  }
}

function clearanceLines(clearance: number, why: string | undefined, untold: Excitation['uncheckedPairs']): string[] {
  const pairs = untold.map(([one, other]) => `${one} and ${other}`).join(', ');
  const kept = `links keep ${clearance} m from each other, by convex hulls`;
  return [
    why === undefined
      ? `In the motion ${kept}${pairs === '' ? '' : `, but for ${pairs}, which are nearer in the middle of all ranges`}.`
      : `Collisions of the robot with itself are not all checked: ${why.replace(/\.$/, '')}.`,
    'Links that a joint connects and what is around the robot are not checked: look at the motion in a simulator, then run it slowly.',
  ];
}

const gainLines = (bounds: readonly JointBounds[], gains: readonly number[] | undefined): string[] =>
  gains
    ? [
        `With torques in a unit of their own, a second run with the payload gives their gains to ${gains
          .map((x, j) => `${Number.isFinite(x) ? `${formatNumber(100 * x, 2)} %` : 'nothing'} (${bounds[j].joint})`)
          .join(', ')}.`,
      ]
    : [];

/** @throws GradsimError for options that plans of experiments alone have. */
function refuseOfExperiments({ video, track, from, wanted, choose, device, threads }: PlanCommandOptions): void {
  const given = Object.entries({
    '--video': video,
    '--track': track,
    '--from': from,
    '--wanted': wanted.length > 0 ? wanted : undefined,
    '--choose': choose === 1 ? undefined : choose,
    '--device': device === 'auto' ? undefined : device,
    '--threads': threads,
  }).find(([, value]) => value !== undefined);
  if (given)
    throw new GradsimError('gradsim/options-contradict', `${given[0]} is for plans of experiments, not of a robot.`, {
      field: given[0],
      hint: 'Leave it out.',
    });
}

function refuseUnknownJoints({ links }: Robot, names: readonly string[]): void {
  const known = links.flatMap(({ jointName, values }) => (values.joint === 'fixed' ? [] : [jointName]));
  const other = names.find((name) => !known.includes(name));
  if (other !== undefined)
    throw new GradsimError('gradsim/option-wrong', `--set fixed: there is no joint "${other}".`, {
      field: '--set fixed',
      hint: `Its joints are ${known.join(', ')}.`,
    });
}
