import type { Vector } from '@gradsim/base';
import { GradsimError } from '@gradsim/core';
import type { Robot } from '../../robot.ts';
import type { Identification, IdentifyOptions, PredictedTorques } from '../identification.ts';
import type { JointLog } from '../reading/joint-log.ts';
import { BASE_JOINTS, floatedLog, landed, withJointsForFreeBase } from './floated.ts';

/**
 * Identifies a robot on a floating base as one with six joints more, and returns what is of its own joints.
 * @throws for logs without the pose or an inertial unit of the base, or with zeros, gains or biases that are unknown.
 */
export function identifyFloating(
  robot: Robot,
  logs: readonly JointLog[],
  options: IdentifyOptions & { readonly gravity: Vector },
  identifyRobot: (robot: Robot, logs: readonly JointLog[], options: IdentifyOptions) => Identification,
): Identification {
  const { zeros = 0, torqueGain = 'known', torqueBias = 'known', gravity } = options;
  if (zeros > 0 || torqueGain === 'unknown' || torqueBias === 'unknown')
    throw new GradsimError(
      'robots/floating-option',
      `${robot.name} is on a floating base, where zeros, torqueGain and torqueBias cannot be unknown.`,
      { hint: 'Log torques in N m that count from zero.' },
    );
  const whole = withJointsForFreeBase(robot);
  const known = new Map<JointLog, JointLog>();
  const of = (log: JointLog): JointLog => {
    const own = known.get(log) ?? floatedLog(robot, log, gravity);
    known.set(log, own);
    return own;
  };
  const found = identifyRobot(whole, logs.map(of), options);
  const isOwn = ({ joint }: { readonly joint: number }): boolean => joint >= BASE_JOINTS;
  const counted = <T extends { readonly joint: number }>(one: T): T => ({ ...one, joint: one.joint - BASE_JOINTS });
  return {
    ...found,
    robot: landed(robot, found.robot),
    combinations: found.combinations.map((one) => ({
      ...one,
      valueFor: (other) => one.valueFor(withJointsForFreeBase(other)),
    })),
    draw: (wanted) => found.draw(wanted).map((drawn) => landed(robot, drawn)),
    spikes: found.spikes.filter(isOwn).map(counted),
    stretches: found.stretches.filter(isOwn).map(counted),
    corrected: (log) => log,
    predictTorques: (log) => ofOwnJoints(found.predictTorques(of(log))),
  };
}

/** Torques without those of the joints that stand for a base. */
export function ofOwnJoints(torques: PredictedTorques): PredictedTorques {
  const { positions, rates, predicted, measured, slides, noise, inBand } = torques;
  const own = <T>(of: readonly T[]): readonly T[] => of.slice(BASE_JOINTS);
  return {
    ...torques,
    positions: own(positions),
    rates: own(rates),
    predicted: own(predicted),
    measured: own(measured),
    slides: own(slides),
    noise: own(noise),
    inBand: own(inBand),
  };
}
