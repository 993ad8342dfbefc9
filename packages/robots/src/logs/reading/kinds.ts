import { GradsimError } from '@gradsim/core';
import type { Robot } from '../../robot.ts';
import { type Parameter, parametersNamed } from '../parameter-names.ts';
import type { JointLog } from './joint-log.ts';

/**
 * Names and units of all parameters, of which damping has another name where something else acts alike: the derivative
 * gain of a position controller, or the back-EMF of a motor whose voltage is logged, if the robot's file does not say it.
 */
export function namedIn(robot: Robot, { commands, hasVoltages, servos }: JointLog): Parameter[] {
  const unsaid = commands?.quantity === 'positions' ? 'derivative gain' : hasVoltages ? 'back-EMF' : undefined;
  const other = servos ? undefined : unsaid;
  return parametersNamed(robot).map(({ name, unit }) => ({
    name: other ? name.replace(/^damping of (.*)$/s, `damping and ${other} of $1`) : name,
    unit,
  }));
}

/** Words for what a log has in the place of torques. */
const kindOf = ({ commands, hasCurrents, hasVoltages }: JointLog): string =>
  commands ? `commanded ${commands.quantity}` : hasCurrents ? 'currents' : hasVoltages ? 'voltages' : 'torques';

/** @throws GradsimError for logs of torques, currents, voltages or commands beside those of another. */
export function refuseOtherKinds(logs: readonly JointLog[]): void {
  const other = logs.find((log) => kindOf(log) !== kindOf(logs[0]));
  if (!other) return;
  throw new GradsimError(
    'robots/log-kinds-mixed',
    `${other.name} has ${kindOf(other)}, and ${logs[0].name} ${kindOf(logs[0])}.`,
    { hint: 'Give logs of one kind: torques tell more.' },
  );
}
