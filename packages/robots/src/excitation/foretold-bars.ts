import { inverseDiagonal } from '@gradsim/base';
import { namesOfBase } from '../logs/base-parameters.ts';
import { blocksOf, studentGrowth } from '../logs/covariance.ts';
import { delayDirection } from '../logs/delay.ts';
import { columnOrder } from '../logs/identify.ts';
import { parametersNamed } from '../logs/parameter-names.ts';
import { parametersOfRobot } from '../logs/physical.ts';
import type { JointLog, Payload } from '../logs/reading/joint-log.ts';
import { channelsOf, seenInBand, withReversals } from '../logs/recording/channels.ts';
import { type Filtering, payloadTorques, recordingOf } from '../logs/recording/recording.ts';
import { type Channel, fitWith, normalOfFactor, plainFit } from '../logs/robust-fit.ts';
import type { Robot } from '../robot.ts';
import { torquesAlong } from './bounds.ts';
import type { MotionSamples } from './series.ts';

/** Foretold standard error of a parameter or a combination. */
export interface ForetoldBar {
  readonly name: string;
  readonly unit: string;
  readonly standardError: number;
}

/** Properties of the logs that a motion will give. */
export interface LogSetting extends Filtering {
  /** Standard deviation of a sample of each joint's torque, N m or N. */
  readonly torqueNoise: readonly number[];
}

/**
 * Foretells the standard errors that `identifyRobot` will give of logs of motions, by its own filters, samples and unknowns,
 * the delay among them: the noise of torques is white, and positions are exact.
 */
export function foretellBars(robot: Robot, motions: readonly MotionSamples[], setting: LogSetting): ForetoldBar[] {
  const { torqueNoise, torqueBand: band } = setting;
  const recordings = motions.map((motion) => recordingOf(robot, logOf(robot, motion, setting), setting));
  const channels = withReversals(
    recordings.flatMap((recording) => channelsOf(recording, 0, band)),
    recordings,
    band,
  );
  const named = parametersNamed(robot);
  const reversals = torqueNoise.map((_, j) => named.length + j);
  const { base } = plainFit(channels, [...reversals, ...columnOrder(robot)]);
  const weights = channels.map(({ counts, joint }, c) => {
    const by = recordings[Math.floor(c / torqueNoise.length)].stride / torqueNoise[joint] ** 2;
    return counts.map((x) => x * by);
  });
  const fit = fitWith(channels, base, weights);
  const { factor } = delayDirection(recordings, channels, fit, { delay: 0, band });
  const grown = studentGrowth(Math.max(blocksOf(recordings).length - 1, 1));
  const names = namesOfBase(
    base,
    named.map(({ name }) => name),
  );
  const variances = inverseDiagonal(normalOfFactor(factor));
  return base.independent.flatMap((p, i) =>
    p < named.length ? [{ name: names[i], unit: named[p].unit, standardError: grown * Math.sqrt(variances[i]) }] : [],
  );
}

/**
 * Foretells relative standard errors of gains of torques, by joint, where a motion is logged once without a payload and once
 * with it, and no mass is known; infinite where the payload does not tell the gain.
 */
export function foretellGains(robot: Robot, motion: MotionSamples, payload: Payload, setting: LogSetting): number[] {
  const { torqueNoise, torqueBand: band, gravity } = setting;
  const recording = recordingOf(robot, logOf(robot, motion, setting), setting);
  const { positions: q, rates: v, accelerations: a, stride } = recording;
  const loads = payloadTorques(robot, payload, { q, v, a }, gravity);
  const grown = studentGrowth(2 * blocksOf([recording]).length - 1);
  return channelsOf(recording, 0, band).map((channel, j) => {
    const load = seenInBand(loads[j], recording, band);
    const both: Channel[] = [load.map(() => 0), load].map((own) => ({
      ...channel,
      columns: [...channel.columns, own],
    }));
    const last = channel.columns.length;
    const { base } = plainFit(both, [...columnOrder(robot), last]);
    const at = base.independent.indexOf(last);
    if (at < 0) return Number.POSITIVE_INFINITY;
    const weights = both.map(({ counts }) => counts.map((x) => (x * stride) / torqueNoise[j] ** 2));
    const { factor } = fitWith(both, base, weights);
    // The gain comes last, so its variance is that of the last step of the factor.
    return grown / factor[at][at];
  });
}

/** Log of a motion without noise, with the torques of the model. */
function logOf(robot: Robot, motion: MotionSamples, setting: LogSetting): JointLog {
  const joints = robot.links.filter(({ values }) => values.joint !== 'fixed');
  return {
    name: 'plan',
    time: Array.from(motion.time),
    positions: motion.positions.map((own, j) => Array.from(own, (x) => x + (joints[j].reference ?? 0))),
    torques: torquesAlong(robot, parametersOfRobot(robot), motion, setting).map((own) => Array.from(own)),
  };
}
