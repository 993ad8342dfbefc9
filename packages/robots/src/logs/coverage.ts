import { inverseDiagonal, median, sumOfSquares } from '@gradsim/base';
import type { Robot } from '../robot.ts';
import { isToldApart } from './answer.ts';
import { axisJoints, hasLoggedJoint } from './axis-joints.ts';
import { namesOfBase, namesOfDependent } from './base-parameters.ts';
import { BASE_JOINTS, floatedLog, isFloating, withJointsForFreeBase } from './floating/floated.ts';
import { DEFAULTS, type ForetellOptions, GRAVITY } from './foretell.ts';
import { columnOrder } from './identify.ts';
import { jointUnits, parameterNames } from './parameter-names.ts';
import { isStill } from './reading/is-still.ts';
import type { JointLog } from './reading/joint-log.ts';
import { channelsOf } from './recording/channels.ts';
import { MIN_SLIDING_WIDTHS, type Recording, recordingOf } from './recording/recording.ts';
import { normalOfFactor, plainFit } from './robust-fit.ts';

/** Excitation of logs before anything is estimated. */
export interface Coverage {
  readonly logs: readonly LogCoverage[];
  readonly joints: readonly JointCoverage[];
  /** Combinations of parameters that the motion does not determine, whatever the torques. */
  readonly undetermined: readonly string[];
  /** Combinations that it hardly tells from others, worst first, with the part of their torques that no other explains. */
  readonly weak: readonly { readonly name: string; readonly part: number }[];
}

export interface LogCoverage {
  readonly name: string;
  readonly seconds: number;
  /** Samples a second, by the median step. */
  readonly rate: number;
  /** Longest time between two samples, s, and where it begins. */
  readonly gap: { readonly from: number; readonly seconds: number };
}

export interface JointCoverage {
  readonly joint: string;
  /** `rad` or `m`, of positions. */
  readonly unit: string;
  /** Least and greatest coordinate, as the file has it, over all logs. */
  readonly from: number;
  readonly to: number;
  /** Root mean square and greatest rate, filtered. */
  readonly usual: number;
  readonly fastest: number;
  /** Parts of the time in which it slides either way. */
  readonly forward: number;
  readonly back: number;
  /** Number of times that it turns around. */
  readonly turns: number;
  /** Names of the logs in which it stands still. */
  readonly stillIn: readonly string[];
}

/** Part of the torques of a combination that no other explains below which it is hardly told apart. */
const MIN_TORQUE_SHARE = 0.02;

/**
 * Tells what logs of a robot cover, and which parameters their motion can determine: by positions alone, without torques.
 *
 * ```ts
 * const { joints, weak } = coverageOf(robot, [readJointLog(text, robot)]);
 * console.log(joints[0].to - joints[0].from, weak[0]?.name);
 * ```
 * @throws GradsimError for robots and logs that `identifyRobot` refuses by their joints.
 */
export function coverageOf(
  robot: Robot,
  logs: readonly JointLog[],
  options: Omit<ForetellOptions, 'delay'> = {},
): Coverage {
  const known = { ...DEFAULTS, ...options, gravity: options.gravity ?? robot.gravity ?? GRAVITY };
  const [whole, all] = isFloating(robot)
    ? [withJointsForFreeBase(robot), logs.map((log) => floatedLog(robot, log, known.gravity))]
    : [robot, logs];
  const recordings = all.map((log) => recordingOf(whole, log, known));
  const channels = recordings.flatMap((recording) => channelsOf(recording, 0, known.torqueBand));
  const { base, factor } = plainFit(channels, columnOrder(whole));
  const names = parameterNames(whole);
  const normal = normalOfFactor(factor);
  const variances = inverseDiagonal(normal);
  const combined = namesOfBase(base, names);
  const first = whole === robot ? 0 : BASE_JOINTS;
  return {
    logs: logs.map(({ name, time }) => {
      const steps = time.slice(1).map((t, k) => t - time[k]);
      const longest = steps.reduce((most, step, k) => (step > steps[most] ? k : most), 0);
      return {
        name,
        seconds: time[time.length - 1] - time[0],
        rate: 1 / median(steps),
        gap: { from: time[longest], seconds: steps[longest] },
      };
    }),
    joints: axisJoints(whole)
      .map((joint, j) => ofJoint(whole, recordings, joint, j, MIN_SLIDING_WIDTHS * known.frictionWidth))
      .slice(first),
    undetermined: namesOfDependent(base, names, (p) => isToldApart(whole, p)),
    weak: base.independent
      .map((_, i) => ({ name: combined[i], part: 1 / Math.sqrt(variances[i] * normal[i][i]) }))
      .filter(({ part }) => part < MIN_TORQUE_SHARE)
      .sort((a, b) => a.part - b.part),
  };
}

function ofJoint(
  { links }: Robot,
  recordings: readonly Recording[],
  joint: string,
  j: number,
  sliding: number,
): JointCoverage {
  const { reference = 0, values } = links.filter(hasLoggedJoint)[j];
  const rates = recordings.map((recording) => recording.rates[j]);
  const count = rates.reduce((sum, own) => sum + own.length, 0);
  const greatest = (of: readonly Float64Array[], by: (x: number) => number): number =>
    of.reduce((most, own) => own.reduce((all, x) => Math.max(all, by(x)), most), Number.NEGATIVE_INFINITY);
  const part = (is: (rate: number) => boolean): number =>
    rates.reduce((sum, own) => sum + own.filter(is).length, 0) / count;
  const positions = recordings.map((recording) => recording.positions[j]);
  return {
    joint,
    unit: jointUnits(values.joint).position,
    from: reference - greatest(positions, (x) => -x),
    to: reference + greatest(positions, (x) => x),
    usual: Math.sqrt(rates.reduce((sum, own) => sum + sumOfSquares(own), 0) / count),
    fastest: greatest(rates, Math.abs),
    forward: part((rate) => rate > sliding),
    back: part((rate) => rate < -sliding),
    turns: rates.reduce((sum, own) => sum + turnsOf(own, sliding), 0),
    stillIn: recordings.flatMap(({ log, positions: own }) => (isStill(own[j]) ? [log.name] : [])),
  };
}

/** Number of times that a rate goes from sliding one way to sliding the other. */
function turnsOf(rates: Float64Array, sliding: number): number {
  let [turns, way] = [0, 0];
  for (const rate of rates) {
    if (Math.abs(rate) < sliding) continue;
    if (way !== 0 && Math.sign(rate) !== way) turns++;
    way = Math.sign(rate);
  }
  return turns;
}
