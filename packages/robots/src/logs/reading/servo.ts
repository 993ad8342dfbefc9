import { lawOf } from '../../actuators.ts';
import type { Actuator, Robot } from '../../robot.ts';

/** Quantity that a log has in the place of torques, and that a servo or motor may turn into one. */
export type Control = 'positions' | 'velocities' | 'voltages';

/** True for an actuator with such a control. */
function hasControl(actuator: Actuator, control: Control): boolean {
  if (control === 'velocities') return actuator.kind === 'velocity';
  const { bias } = lawOf(actuator);
  return control === 'positions' ? bias[1] < 0 : actuator.kind === 'general' && bias[1] === 0;
}

/**
 * Servos or motors of a robot's file that turn a control into torques, by joint; none of a joint whose control no log has, since it
 * follows others. Undefined if another has none of its own, or several, and for a robot on a floating base.
 */
export function servosOf(
  { links, actuators }: Robot,
  control: Control,
  isLogged: (joint: number) => boolean,
): (Actuator | undefined)[] | undefined {
  if (links[0]?.values.joint === 'free') return undefined;
  const joints = links.flatMap(({ values }, k) => (values.joint === 'fixed' ? [] : [k]));
  const found = joints.map((k, j) => {
    const own = isLogged(j) ? actuators.filter(({ link }) => link === k) : [];
    return own.length === 1 && hasControl(own[0], control) ? own[0] : undefined;
  });
  return found.every((servo, j) => servo || !isLogged(j)) ? found : undefined;
}

/**
 * Torque of a joint, N m or N, by a servo's control, the joint's coordinate in its file and its rate: linear, within the ranges of
 * control and force.
 */
export function servoTorque(servo: Actuator, control: number, coordinate: number, rate: number): number {
  const { gain, bias } = lawOf(servo);
  const { gear, controlRange, forceRange } = servo;
  const force = gain * clampToRange(control, controlRange) + bias[0] + gear * (bias[1] * coordinate + bias[2] * rate);
  return gear * clampToRange(force, forceRange);
}

const clampToRange = (x: number, range: readonly [number, number] | undefined): number =>
  range ? Math.min(Math.max(x, range[0]), range[1]) : x;
