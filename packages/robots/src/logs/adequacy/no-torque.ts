import { sum, sumOfSquares } from '@gradsim/base';
import { GradsimError } from '@gradsim/core';
import type { Robot } from '../../robot.ts';
import { nameOfTerms } from '../base-parameters.ts';
import { covarianceOfBlocks } from '../covariance.ts';
import type { Identified } from '../identified.ts';
import { parametersNamed } from '../parameter-names.ts';
import type { JointLog } from '../reading/joint-log.ts';
import { channelsOf } from '../recording/channels.ts';
import { type Filtering, recordingOf } from '../recording/recording.ts';
import { LINK_PARAMETERS } from '../regressor.ts';
import { plainFit, robustFit } from '../robust-fit.ts';

/** First of the parameters of a link that are inertias. */
const INERTIA = LINK_PARAMETERS.indexOf('Jxx');
const EMPTY = new Float64Array(0);

/** True if no log has a torque that is not 0, and no spring of the model stands for one. */
export const isWithoutTorque = ({ links }: Robot, logs: readonly JointLog[]): boolean =>
  logs.every(({ torques }) => torques.every((own) => own.every((x) => x === 0))) &&
  links.every(({ values: { stiffness = 0 } }) => stiffness === 0);

/** @throws GradsimError if {@link isWithoutTorque}. */
export function refuseWithoutTorque(robot: Robot, logs: readonly JointLog[]): void {
  if (!isWithoutTorque(robot, logs)) return;
  throw new GradsimError(
    'robots/log-no-torque',
    `${logs.map(({ name }) => name).join(', ')}: all torques are 0, so nothing gives the scale of masses and friction.`,
    { hint: '`ratiosOfFreeSwings` finds their ratios. Or give a log with torques beside it.' },
  );
}

/**
 * Ratios of parameters from logs of a robot that swings freely, without torque: all of them may be larger by one factor. They
 * are over the inertia that acts most, whose acceleration, the noisiest part of the motion, is then what is explained.
 * @param order in which parameters are tried: those that come first name combinations.
 */
export function freeSwingRatios(
  robot: Robot,
  logs: readonly JointLog[],
  filtering: Filtering,
  order: readonly number[],
): Identified[] {
  const named = parametersNamed(robot);
  const names = named.map(({ name }) => name);
  const rigid = LINK_PARAMETERS.length * robot.links.length;
  const recordings = logs.map((log) => recordingOf(robot, log, filtering));
  const channels = recordings.flatMap((recording) => channelsOf(recording, 0, filtering.torqueBand));
  const whole = plainFit(channels, order).base;
  const { independent } = whole;
  const sizeOf = (p: number): number => sum(channels.map(({ columns }) => sumOfSquares(columns[p])));
  const inertias = independent.filter((p) => p < rigid && p % LINK_PARAMETERS.length >= INERTIA);
  const scale = inertias.reduce((a, b) => (sizeOf(b) > sizeOf(a) ? b : a));
  const scaled = channels.map((channel) => ({
    ...channel,
    torques: (channel.columns[scale].length > 0 ? channel.columns[scale] : channel.torques).map((x) => -x),
    columns: channel.columns.map((column, p) => (p === scale ? EMPTY : column)),
  }));
  const fit = robustFit(
    scaled,
    independent.filter((p) => p !== scale),
  );
  const covariance = covarianceOfBlocks(fit, undefined, scaled, recordings);
  const nameOf = (p: number): string => {
    const i = whole.independent.indexOf(p);
    return nameOfTerms([
      [names[p], 1],
      ...whole.dependent.map((d, k): [string, number] => [names[d], whole.mix[i][k]]),
    ]);
  };
  return fit.base.independent.map((p, i) => ({
    name: `(${nameOf(p)}) / (${nameOf(scale)})`,
    unit: ratioUnit(named[p].unit, named[scale].unit),
    estimate: fit.values[i],
    standardError: Math.sqrt(covariance[i][i]),
  }));
}

/** Unit of a ratio of parameters. */
const ratioUnit = (of: string, over: string): string => (of === over ? '1' : `${of}/(${over})`);
