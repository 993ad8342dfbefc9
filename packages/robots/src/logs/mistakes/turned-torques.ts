import { solveByFactor, sum, sumOfProducts } from '@gradsim/base';
import { GradsimError } from '@gradsim/core';
import type { Robot } from '../../robot.ts';
import { axisJoints, hasLoggedJoint } from '../axis-joints.ts';
import { rowAtAcceleration } from '../coupling/coupled.ts';
import type { JointLog } from '../reading/joint-log.ts';
import type { Channel } from '../robust-fit.ts';
import { robustFit } from '../robust-fit.ts';

/** Standard errors by which an inertia must be negative. */
const MIN_SIGNIFICANCE = 5;
/** Least number of independent samples of a joint in a log that tell it. */
const MIN_SAMPLES = 30;

/**
 * Refuses torques whose sign is turned: the inertia that a joint moves, found from its own torque in one log, is then
 * negative.
 * @param channels log by log, with torques read at the delay found: a long one turns the sign as well.
 * @throws GradsimError naming the log and the joint.
 */
export function refuseTurnedTorques(
  robot: Robot,
  logs: readonly JointLog[],
  channels: readonly Channel[],
  order: readonly number[],
): void {
  const names = axisJoints(robot);
  const joints = robot.links.filter(hasLoggedJoint);
  channels.forEach((channel, c) => {
    const { joint } = channel;
    if (joints[joint].isOfBase || channel.density * sum(channel.counts) < MIN_SAMPLES) return;
    const [name, log] = [names[joint], logs[Math.floor(c / names.length)].name];
    const { base, values, factor, squares, independent } = robustFit([channel], order);
    // Torque at unit acceleration of this joint alone, without gravity.
    const unit = rowAtAcceleration(robot, joint);
    const row = base.independent.map((p) => unit[p]);
    const inertia = sumOfProducts(row, values);
    const variance = squares / Math.max(independent - values.length, 1);
    if (inertia >= -MIN_SIGNIFICANCE * Math.sqrt(variance * sumOfProducts(row, solveByFactor(factor, row)))) return;
    throw new GradsimError(
      'robots/log-torque-turned',
      `${log}: the torque of joint "${name}" acts against its acceleration, as if it moved an inertia of ${inertia.toPrecision(3)} kg m^2.`,
      {
        element: name,
        hint: 'Turn the sign of its torque or of its position in the log, or of its axis in the model. If torques are logged late, have longer delays tried: delay (--set delay=SECONDS).',
      },
    );
  });
}
