import { lawOf } from '../actuators.ts';
import type { Actuator, Robot } from '../robot.ts';
import type { JointLog } from './reading/joint-log.ts';

/** True for an actuator whose control is what a log has in the place of torques. */
const takes = (actuator: Actuator, { commands, hasVoltages }: Pick<JointLog, 'commands' | 'hasVoltages'>): boolean => {
  const { bias } = lawOf(actuator);
  if (commands) return commands.of === 'positions' ? bias[1] < 0 : actuator.kind === 'velocity';
  return hasVoltages === true && actuator.kind === 'general' && bias[1] === 0;
};

/**
 * Servos or motors of a robot's file that turn what a log has in the place of torques into torques, by joint; undefined if a
 * joint has none of its own, or several, and for a robot on a floating base.
 */
export function servosOf(
  { links, actuators }: Robot,
  log: Pick<JointLog, 'commands' | 'hasVoltages'>,
): Actuator[] | undefined {
  if (links[0]?.values.joint === 'free') return undefined;
  const joints = links.flatMap(({ values }, k) => (values.joint === 'fixed' ? [] : [k]));
  const found = joints.flatMap((k) => {
    const own = actuators.filter(({ link }) => link === k);
    return own.length === 1 && takes(own[0], log) ? own : [];
  });
  return found.length === joints.length ? found : undefined;
}

/** A log whose commands or voltages become torques by gains that are unknown. */
export const withoutServos = ({ servos, ...log }: JointLog): JointLog => log;

/**
 * Torque of a joint, N m or N, by a servo's control, the joint's coordinate in its file and its rate: linear, within the ranges of
 * control and force.
 */
export function servoTorque(servo: Actuator, control: number, coordinate: number, rate: number): number {
  const { gain, bias } = lawOf(servo);
  const { gear, controlRange, forceRange } = servo;
  const force = gain * within(control, controlRange) + bias[0] + gear * (bias[1] * coordinate + bias[2] * rate);
  return gear * within(force, forceRange);
}

const within = (x: number, range: readonly [number, number] | undefined): number =>
  range ? Math.min(Math.max(x, range[0]), range[1]) : x;
