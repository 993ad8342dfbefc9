import { GradsimError } from '@gradsim/core';
import type { Robot } from '../robot.ts';
import { axisJoints } from './axis-joints.ts';
import { nameOfTerms } from './base-parameters.ts';
import { covarianceOfBlocks } from './covariance.ts';
import type { Identified } from './identified.ts';
import { jointUnits, parameterNames } from './parameter-names.ts';
import { parametersOfRobot } from './physical.ts';
import type { JointLog, Payload } from './reading/joint-log.ts';
import { channelsOf, strided, sumOfColumns } from './recording/channels.ts';
import { lowPass } from './recording/low-pass.ts';
import type { Filtering, Recording } from './recording/recording.ts';
import { payloadTorques, recordingOf } from './recording/recording.ts';
import { JOINT_PARAMETERS } from './regressor.ts';
import type { Channel, Fit } from './robust-fit.ts';
import { plainFit, robustFit } from './robust-fit.ts';

/** Steps of Gauss and Newton, which converge as squares: from gains within 10 % to 1e-8 in three. */
const ROUNDS = 4;

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
 * Where the robot carries a known payload in some of the logs, gains are those by which it explains the difference, with bodies
 * and friction that are the same for all joints and logs, and no body of the model needs to be known.
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
  const loads = recordings.map((recording, r) => loadsOfPayload(robot, recording, logs[r].payload, options));
  const logged = recordings.flatMap((recording) => channelsOf(recording, delay, band));
  const loadOf = (c: number): Float64Array => loads[Math.floor(c / joints.length)][logged[c].joint];
  const own = (joint: number, column: Float64Array): Float64Array[] =>
    joints.map((_, j) => (j === joint ? column : EMPTY));
  const withSensors = (of: (channel: Channel, load: Float64Array) => SensorColumns): Channel[] =>
    logged.map((channel, c) => {
      const { joint, torques } = channel;
      const { ofRobot, ofGain, bias, right } = of(channel, loadOf(c));
      return {
        ...channel,
        torques: right,
        columns: [
          ...ofRobot,
          ...(hasGain ? own(joint, ofGain) : []),
          ...(hasBias ? own(joint, new Float64Array(torques.length).fill(bias)) : []),
        ],
      };
    });
  const count = names.length;
  const gain = (j: number): number => count + j;
  const bias = (j: number): number => count + (hasGain ? joints.length : 0) + j;
  const commanded = logs.find(({ commands }) => commands)?.commands?.quantity;
  const ofRates = commanded === 'velocities';
  const unitOfLog = commanded
    ? ofRates
      ? 'rad/s or m/s'
      : 'rad or m'
    : logs.some(({ hasCurrents }) => hasCurrents)
      ? 'A'
      : 'logged';
  const units = robot.links.flatMap(({ values: { joint } }) => (joint === 'fixed' ? [] : [jointUnits(joint).torque]));
  const unitOf = (p: number): string =>
    p < bias(0) ? `${unitOfLog}/(${units[(p - count) % joints.length]})` : hasGain ? unitOfLog : units[p - bias(0)];
  const all = [
    ...names.map((name, p) => (hasGain && !hasPayload && p >= rigid ? `gain ${name}` : name)),
    ...(hasGain ? joints.map((joint) => `torque gain of ${joint}`) : []),
    ...(hasBias ? joints.map((joint) => `torque bias of ${joint}`) : []),
  ];
  // Gains and biases come last, so that they are what depends on others where the motion does not tell them apart.
  const { channels, fit } = hasPayload ? besidePayload() : besideBodies();
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

  /** Fits gains to the torque that the bodies of the model need, if they are unknown; else bodies are. */
  function besideBodies(): { channels: Channel[]; fit: Fit } {
    const channels = withSensors(({ columns, torques }) => ({
      ofRobot: columns.map((column, p) => (hasGain && p < rigid ? EMPTY : column)),
      ofGain: sumOfColumns(columns, bodies, (p) => p < rigid, torques.length),
      bias: 1,
      right: torques,
    }));
    return { channels, fit: robustFit(channels, [...all.keys()]) };
  }

  /**
   * Fits one robot and the gains: logged = gain (Y x + load) + bias, which is linear about given values (Gauss and Newton). They begin
   * with those of logged / gain - bias / gain - Y x = load, linear in all, but of noise in a column.
   */
  function besidePayload(): { channels: Channel[]; fit: Fit } {
    const order = [...all.keys()];
    const loaded = logged.map(({ columns, ...channel }, c) => ({ ...channel, columns: [...columns, loadOf(c)] }));
    // A load that is there in all logs may as well be a part of the links.
    if (!plainFit(loaded, [...loaded[0].columns.keys()]).base.independent.includes(count)) refuseUnseen(joints, logs);
    let channels = withSensors(({ columns, torques }, load) => ({
      ofRobot: columns.map((column) => column.map((x) => -x)),
      ofGain: torques,
      bias: -1,
      right: load.length > 0 ? load : new Float64Array(torques.length),
    }));
    let fit = robustFit(channels, order);
    const foundOf = (p: number): number => fit.values[fit.base.independent.indexOf(p)] ?? 0;
    let gains = joints.map((_, j) => 1 / (foundOf(gain(j)) || 1));
    for (let round = 0; round < ROUNDS; round++) {
      const robotAt = names.map((_, p) => foundOf(p));
      const at = gains;
      channels = withSensors(({ columns, torques, joint }, load) => {
        const ofRobot = sumOfColumns(columns, robotAt, undefined, torques.length);
        return {
          ofRobot: columns.map((column) => column.map((x) => at[joint] * x)),
          ofGain: load.length > 0 ? ofRobot.map((x, s) => x + load[s]) : ofRobot,
          bias: 1,
          right: torques.map((x, s) => x + at[joint] * ofRobot[s]),
        };
      });
      fit = robustFit(channels, order, round > 0 ? fit : undefined);
      gains = joints.map((_, j) => foundOf(gain(j)));
    }
    return { channels, fit };
  }
}

/** Columns of what is unknown in a channel, and what they explain. */
interface SensorColumns {
  readonly ofRobot: readonly Float64Array[];
  readonly ofGain: Float64Array;
  readonly bias: number;
  readonly right: Float64Array;
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
  return torques.map((torque) => strided(lowPass(torque, torqueBand, step), recording));
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
