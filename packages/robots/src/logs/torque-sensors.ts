import { sum } from '@gradsim/base';
import type { Robot } from '../robot.ts';
import { axisJoints } from './axis-joints.ts';
import { nameOfTerms } from './base-parameters.ts';
import { leaveBlocksOut } from './covariance.ts';
import type { Identified } from './identification.ts';
import { jointUnits, parameterNames } from './parameter-names.ts';
import { parametersOfRobot } from './physical.ts';
import type { JointLog } from './reading/joint-log.ts';
import type { Filtering } from './recording.ts';
import { channelsOf, JOINT_PARAMETERS, recordingOf } from './recording.ts';
import type { Channel } from './robust-fit.ts';
import { robustFit } from './robust-fit.ts';

/** Gains and biases of the torques of logs. */
export interface TorqueSensors {
  readonly identified: readonly Identified[];
  /** Gains and biases that the motion does not tell from parameters of the robot, as combinations. */
  readonly undetermined: readonly Identified[];
  /** A log with torques in N m or N. */
  readonly corrected: (log: JointLog) => JointLog;
}

/**
 * Estimates how each joint's torque is logged: logged = gain torque + bias. It is linear: with unknown gains, the torque
 * that the bodies of the model need has the gain as its factor, and armature, damping and friction come times the gain;
 * else bodies are unknown too, as in `identifyRobot`. What the motion does not tell apart counts as exact: gain 1, bias 0.
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
  const recordings = logs.map((log) => recordingOf(robot, log, options));
  const channels = recordings.flatMap((recording) =>
    channelsOf(recording, delay, band).map((channel): Channel => {
      const { columns, joint } = channel;
      const known = channel.torques.map((_, s) =>
        sum(bodies.map((x, p) => (columns[p].length > 0 ? x * columns[p][s] : 0))),
      );
      const one = new Float64Array(known.length).fill(1);
      const own = (column: Float64Array): Float64Array[] => joints.map((_, j) => (j === joint ? column : EMPTY));
      return {
        ...channel,
        columns: [
          ...columns.map((column, p) => (hasGain && p < rigid ? EMPTY : column)),
          ...(hasGain ? own(known) : []),
          ...(hasBias ? own(one) : []),
        ],
      };
    }),
  );
  const gain = (j: number): number => names.length + j;
  const bias = (j: number): number => names.length + (hasGain ? joints.length : 0) + j;
  const logged = logs.some(({ hasCurrents }) => hasCurrents) ? 'A' : 'logged';
  const units = robot.links.flatMap(({ values: { joint } }) => (joint === 'fixed' ? [] : [jointUnits(joint).torque]));
  const unitOf = (p: number): string =>
    p < bias(0) ? `${logged}/(${units[(p - names.length) % joints.length]})` : hasGain ? logged : units[p - bias(0)];
  const all = [
    ...names.map((name, p) => (hasGain && p >= rigid ? `gain ${name}` : name)),
    ...(hasGain ? joints.map((joint) => `torque gain of ${joint}`) : []),
    ...(hasBias ? joints.map((joint) => `torque bias of ${joint}`) : []),
  ];
  // Gains and biases come last, so that they are what depends on others where the motion does not tell them apart.
  const fit = robustFit(channels, [...all.keys()]);
  const covariance = leaveBlocksOut(fit, undefined, channels, recordings);
  const { independent, dependent, mix } = fit.base;
  const numberOf = (p: number, otherwise: number): Identified => {
    const i = independent.indexOf(p);
    return i < 0
      ? { name: all[p], unit: unitOf(p), estimate: otherwise, standardError: Number.POSITIVE_INFINITY }
      : { name: all[p], unit: unitOf(p), estimate: fit.values[i], standardError: Math.sqrt(covariance[i][i]) };
  };
  const gains = joints.map((_, j) => (hasGain ? numberOf(gain(j), 1) : undefined));
  const biases = joints.map((_, j) => (hasBias ? numberOf(bias(j), 0) : undefined));
  return {
    identified: [...gains, ...biases].filter((one) => one !== undefined),
    undetermined: dependent.flatMap((p, k) => {
      if (p < names.length) return [];
      const others = independent.map((b, i): [string, number] => [all[b], -mix[i][k]]);
      return [{ ...numberOf(p, p < bias(0) ? 1 : 0), name: nameOfTerms([[all[p], 1], ...others]) }];
    }),
    corrected: ({ hasCurrents, ...log }) => ({
      ...log,
      torques: log.torques.map((values, j) =>
        values.map((x) => (x - (biases[j]?.estimate ?? 0)) / (gains[j]?.estimate ?? 1)),
      ),
    }),
  };
}

const EMPTY = new Float64Array(0);
