import { sum } from '@gradsim/base';
import { GradsimError } from '@gradsim/core';
import type { Robot } from '../robot.ts';
import { axisJoints } from './axis-joints.ts';
import { nameOfTerms } from './base-parameters.ts';
import { covarianceOfBlocks } from './covariance.ts';
import type { Identified } from './identified.ts';
import { jointUnits, parameterNames } from './parameter-names.ts';
import { parametersOfRobot } from './physical.ts';
import type { JointLog, Payload } from './reading/joint-log.ts';
import { channelsOf, seen } from './recording/channels.ts';
import { lowPass } from './recording/low-pass.ts';
import type { Filtering, Recording } from './recording/recording.ts';
import { payloadTorques, recordingOf } from './recording/recording.ts';
import { JOINT_PARAMETERS } from './regressor.ts';
import type { Channel } from './robust-fit.ts';
import { robustFit } from './robust-fit.ts';

/** Gains and biases of the torques of logs. */
export interface TorqueSensors {
  readonly identified: readonly Identified[];
  /** Gains and biases that the motion does not tell from parameters of the robot, as combinations. */
  readonly undetermined: readonly Identified[];
  /** A log with torques in N m or N. */
  readonly corrected: (log: JointLog) => JointLog;
  /** Standard error of each joint's gain, relative to it; 0 if it is known, or if nothing tells it. */
  readonly gainErrors: readonly number[];
  /** Logged torque per torque, and logged torque without one, by joint. */
  readonly gains: readonly number[];
  readonly biases: readonly number[];
}

/**
 * Estimates how each joint's torque is logged: logged = gain torque + bias. It is linear: with unknown gains, the torque
 * that the bodies of the model need has the gain as its factor, and armature, damping and friction come times the gain;
 * else bodies are unknown too, as in `identifyRobot`. What the motion does not tell apart counts as exact: gain 1, bias 0.
 *
 * Where the robot carries a known payload in some of the logs, gains are those by which it explains the difference, and no
 * body of the model needs to be known.
 *
 * @param logs without zeros of their own.
 */
export function fitTorqueSensors(
  robot: Robot,
  logs: readonly JointLog[],
  options: Filtering & {
    readonly delay: number;
    readonly torqueGain: 'known' | 'unknown';
    readonly torqueBias: 'known' | 'unknown';
  },
): TorqueSensors {
  const [hasGain, hasBias] = [options.torqueGain === 'unknown', options.torqueBias === 'unknown'];
  const { torqueBand: band, delay } = options;
  const joints = axisJoints(robot);
  const names = parameterNames(robot);
  const rigid = names.length - JOINT_PARAMETERS.length * joints.length;
  const bodies = parametersOfRobot(robot).slice(0, rigid);
  const hasPayload = hasGain && logs.some(({ payload }) => payload);
  // What is known in N m is no part of torques that are logged in another unit.
  const recordings = logs.map(({ payload: _, servos: __, ...log }) => recordingOf(robot, log, options));
  const channels = recordings.flatMap((recording, r) => {
    const loads = loadsOfPayload(robot, recording, logs[r].payload, options);
    return channelsOf(recording, delay, band).map((channel): Channel => {
      const { columns, joint } = channel;
      const ofBodies = channel.torques.map((_, s) =>
        sum(bodies.map((x, p) => (columns[p].length > 0 ? x * columns[p][s] : 0))),
      );
      const one = new Float64Array(ofBodies.length).fill(1);
      const own = (column: Float64Array): Float64Array[] => joints.map((_, j) => (j === joint ? column : EMPTY));
      return {
        ...channel,
        columns: [
          // Gains differ, so that each joint has parameters of its own beside a payload.
          ...(hasPayload
            ? joints.flatMap((_, j) => (j === joint ? columns : columns.map(() => EMPTY)))
            : columns.map((column, p) => (hasGain && p < rigid ? EMPTY : column))),
          ...(hasGain ? own(hasPayload ? loads[joint] : ofBodies) : []),
          ...(hasBias ? own(one) : []),
        ],
      };
    });
  });
  const count = names.length * (hasPayload ? joints.length : 1);
  const gain = (j: number): number => count + j;
  const bias = (j: number): number => count + (hasGain ? joints.length : 0) + j;
  const commanded = logs.find(({ commands }) => commands)?.commands?.of;
  const ofRates = commanded === 'velocities';
  const logged = commanded
    ? ofRates
      ? 'rad/s or m/s'
      : 'rad or m'
    : logs.some(({ hasCurrents }) => hasCurrents)
      ? 'A'
      : 'logged';
  const units = robot.links.flatMap(({ values: { joint } }) => (joint === 'fixed' ? [] : [jointUnits(joint).torque]));
  const unitOf = (p: number): string =>
    p < bias(0) ? `${logged}/(${units[(p - count) % joints.length]})` : hasGain ? logged : units[p - bias(0)];
  const all = [
    ...(hasPayload ? joints : ['']).flatMap(() =>
      names.map((name, p) => (hasGain && (hasPayload || p >= rigid) ? `gain ${name}` : name)),
    ),
    ...(hasGain ? joints.map((joint) => `torque gain of ${joint}`) : []),
    ...(hasBias ? joints.map((joint) => `torque bias of ${joint}`) : []),
  ];
  // Gains and biases come last, so that they are what depends on others where the motion does not tell them apart.
  const fit = robustFit(channels, [...all.keys()]);
  const covariance = covarianceOfBlocks(fit, undefined, channels, recordings);
  const { independent, dependent, mix } = fit.base;
  const numberOf = (p: number, otherwise: number): Identified => {
    const i = independent.indexOf(p);
    return i < 0
      ? { name: all[p], unit: unitOf(p), estimate: otherwise, standardError: Number.POSITIVE_INFINITY }
      : { name: all[p], unit: unitOf(p), estimate: fit.values[i], standardError: Math.sqrt(covariance[i][i]) };
  };
  if (hasPayload)
    refuseUnseen(
      joints.filter((_, j) => !independent.includes(gain(j))),
      logs,
    );
  const gains = joints.map((_, j) => (hasGain ? numberOf(gain(j), 1) : undefined));
  const biases = joints.map((_, j) => (hasBias ? numberOf(bias(j), 0) : undefined));
  const known = {
    gains: gains.map((one) => one?.estimate ?? 1),
    biases: biases.map((one) => one?.estimate ?? 0),
  };
  return {
    identified: [...gains.map((one) => (one && commanded ? gainOfController(one, ofRates) : one)), ...biases].filter(
      (one) => one !== undefined,
    ),
    undetermined: dependent.flatMap((p, k) => {
      if (p < count) return [];
      const others = independent.map((b, i): [string, number] => [all[b], -mix[i][k]]);
      return [{ ...numberOf(p, p < bias(0) ? 1 : 0), name: nameOfTerms([[all[p], 1], ...others]) }];
    }),
    gainErrors: gains.map((one) =>
      one && Number.isFinite(one.standardError) ? one.standardError / Math.abs(one.estimate) : 0,
    ),
    gains: known.gains,
    biases: known.biases,
    corrected: correctedBy(known),
  };
}

/** Takes gains and biases of torques out of a log. */
export const correctedBy =
  ({ gains, biases }: Pick<TorqueSensors, 'gains' | 'biases'>) =>
  ({ hasCurrents, hasVoltages, servos, ...log }: JointLog): JointLog => ({
    ...log,
    ...(log.commands && { commands: { ...log.commands, gains, biases } }),
    torques: log.torques.map((values, j) => values.map((x) => (x - biases[j]) / gains[j])),
  });

/** Gain of a controller from how far a torque drives the joint from where it is asked to be. */
const gainOfController = ({ name, unit, estimate, standardError }: Identified, ofRates: boolean): Identified => ({
  name: name.replace('torque gain', ofRates ? 'velocity gain' : 'proportional gain'),
  unit: unit.endsWith('(N)') ? (ofRates ? 'N s/m' : 'N/m') : ofRates ? 'N m s/rad' : 'N m/rad',
  estimate: 1 / estimate,
  standardError: standardError / estimate ** 2,
});

/** Torques of a payload, filtered as those of links are; empty without one: [joint][sample]. */
function loadsOfPayload(
  robot: Robot,
  recording: Recording,
  payload: Payload | undefined,
  { gravity, torqueBand }: Filtering,
): Float64Array[] {
  const { positions: q, rates: v, accelerations: a, step } = recording;
  if (!payload) return q.map(() => EMPTY);
  const torques = payloadTorques(robot, payload, { q, v, a }, gravity);
  return torques.map((torque) => seen(lowPass(torque, torqueBand, step), recording));
}

/** @throws GradsimError for joints of whose torque a payload is no part that parameters of links are not. */
function refuseUnseen([joint]: readonly string[], logs: readonly JointLog[]): void {
  if (joint === undefined) return;
  const loaded = logs.flatMap(({ name, payload }) => (payload ? [name] : []));
  throw new GradsimError(
    'robots/payload-unseen',
    `${loaded.join(', ')}: the payload does not give the gain of joint "${joint}": its torque there is 0, or is told from no link's.`,
    {
      element: joint,
      hint: 'Give a log without the payload, and one in which the joint moves with it: against gravity, or with much acceleration.',
    },
  );
}

const EMPTY = new Float64Array(0);
