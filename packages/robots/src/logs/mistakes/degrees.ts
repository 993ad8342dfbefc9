import { sumOfSquares } from '@gradsim/base';
import { GradsimError } from '@gradsim/core';
import type { Robot } from '../../robot.ts';
import type { JointLog } from '../reading/joint-log.ts';
import { channelsOf } from '../recording/channels.ts';
import type { Filtering } from '../recording/recording.ts';
import { recordingOf } from '../recording/recording.ts';
import type { Channel } from '../robust-fit.ts';
import { plainFit, residualsOf } from '../robust-fit.ts';

/** Part of the squared torques that a fit must leave before units are doubted. */
const UNEXPLAINED = 0.3;
/** Factor by which degrees must leave less of them. */
const MIN_IMPROVEMENT = 4;

/**
 * Refuses positions in degrees that count as radians: no robot fits the torques then, and one does if they are converted.
 *
 * @param channels of the logs as they are.
 * @throws GradsimError naming the logs.
 */
export function refuseDegrees(
  robot: Robot,
  logs: readonly JointLog[],
  channels: readonly Channel[],
  { order, filtering }: { readonly order: readonly number[]; readonly filtering: Filtering },
): void {
  const left = unexplained(channels, order);
  if (left < UNEXPLAINED) return;
  const joints = robot.links.filter(({ values }) => values.joint !== 'fixed');
  const converted = logs.flatMap((log) => {
    const positions = log.positions.map((values, j) =>
      joints[j].values.joint === 'revolute' ? values.map((x) => (x * Math.PI) / 180) : values,
    );
    return channelsOf(recordingOf(robot, { ...log, positions }, filtering), 0, filtering.torqueBand);
  });
  if (unexplained(converted, order) * MIN_IMPROVEMENT > left) return;
  throw new GradsimError(
    'robots/log-degrees',
    `${logs.map(({ name }) => name).join(', ')}: no masses and friction explain the torques by positions in rad, and some do by positions in degrees.`,
    { field: 'positions', hint: 'Name the unit in the first line, as in "pos1 [deg]".' },
  );
}

/** Part of the squared torques that a fit leaves. */
function unexplained(channels: readonly Channel[], order: readonly number[]): number {
  const fit = plainFit(channels, order);
  const sum = (of: (channel: Channel) => Float64Array): number =>
    channels.reduce((total, channel) => total + sumOfSquares(of(channel).filter((_, s) => channel.counts[s] > 0)), 0);
  return sum((channel) => residualsOf(channel, fit)) / sum(({ torques }) => torques);
}
