import { lawOf } from '../../actuators.ts';
import type { Robot } from '../../robot.ts';
import { referencesOf } from '../axis-joints.ts';
import type { JointLog } from '../reading/joint-log.ts';

/** Coefficients of an `Actuator` that turns what is logged in the place of torques into a torque. */
export interface Drive {
  readonly gear: number;
  readonly gain: number;
  readonly bias: number;
  readonly stiffness: number;
  readonly damping: number;
  readonly lowerControl?: number;
  readonly upperControl?: number;
  readonly lowerForce?: number;
  readonly upperForce?: number;
}

/** Control of each joint of a log: what it was told, or the voltage of its motor: [joint][sample]. */
export const controlsOf = ({ commands, torques }: JointLog): readonly (readonly number[])[] =>
  commands?.commanded ?? torques;

/** Drive of a joint that follows others, without a motor. */
const NO_DRIVE: Drive = { gear: 1, gain: 0, bias: 0, stiffness: 0, damping: 0 };

/**
 * Drives of the joints of a log, by the servos of the robot's file, or by the gains and biases of torques, as `Commands`
 * has them.
 */
export function drivesOf(
  robot: Robot,
  { commands, servos }: JointLog,
  gains: readonly number[],
  biases: readonly number[],
): Drive[] {
  const references = referencesOf(robot);
  return references.map((reference, j) => {
    if (servos) {
      const servo = servos[j];
      if (!servo) return NO_DRIVE;
      const { gain, bias } = lawOf(servo);
      const { gear, controlRange, forceRange } = servo;
      return {
        gear,
        gain,
        bias: bias[0] + gear * bias[1] * reference,
        stiffness: -bias[1],
        damping: -bias[2],
        lowerControl: controlRange?.[0],
        upperControl: controlRange?.[1],
        lowerForce: forceRange?.[0],
        upperForce: forceRange?.[1],
      };
    }
    const gain = 1 / gains[j];
    const followed =
      commands?.quantity === 'positions'
        ? { stiffness: gain, damping: 0 }
        : { stiffness: 0, damping: commands ? gain : 0 };
    return {
      gear: 1,
      gain,
      bias: -gain * (biases[j] + (commands?.quantity === 'positions' ? reference : 0)),
      ...followed,
    };
  });
}
