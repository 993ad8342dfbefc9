import { GradsimError } from '@gradsim/core';
import type { Robot } from '../../robot.ts';
import { baseParameters, solveBase } from '../base-parameters.ts';
import type { JointLog } from '../reading/joint-log.ts';
import { channelsOf, fillLoads, seenInBand } from '../recording/channels.ts';
import type { Filtering, Recording } from '../recording/recording.ts';
import { recordingOf } from '../recording/recording.ts';
import { rigidTorques } from '../regressor.ts';
import type { Channel, Fit } from '../robust-fit.ts';
import { residualsOf } from '../robust-fit.ts';

/** Step of the difference quotient of torques, rad or m. */
const STEP = 1e-4;
/** Gauss-Newton steps for the zeros of a log that is foretold. */
const ROUNDS = 4;

/** A log whose positions count from other zeros: those of each joint, rad or m, are taken off. */
export const withZeros = (log: JointLog, zeros: readonly number[]): JointLog => ({
  ...log,
  positions: log.positions.map((values, j) => values.map((x) => x - zeros[j])),
  ...(log.commands?.quantity === 'positions' && {
    commands: {
      ...log.commands,
      commanded: log.commands.commanded.map((values, j) => values.map((x) => x - zeros[j])),
    },
  }),
});

/**
 * Derivatives of the torques that a robot needs for the motion of a recording by the zeros of its positions, filtered as
 * torques are: [joint of the torque][joint of the zero].
 *
 * @param parameters of the robot, in the order of the regressor's columns.
 */
export function zeroColumns(
  robot: Robot,
  recording: Recording,
  parameters: ArrayLike<number>,
  filtering: Filtering,
): Float64Array[][] {
  const { positions, rates, accelerations, time } = recording;
  const joints = robot.links.filter(({ values }) => values.joint !== 'fixed');
  const columns = positions.map(() => positions.map(() => new Float64Array(time.length)));
  const torquesAt = (s: number, j: number, by: number): number[] => {
    const q = positions.map((x, k) => x[s] + (k === j ? by : 0));
    const motion = { q, v: rates.map((x) => x[s]), a: accelerations.map((x) => x[s]) };
    return rigidTorques(robot, parameters, motion, filtering.gravity);
  };
  for (let s = 0; s < time.length; s++)
    for (let j = 0; j < positions.length; j++) {
      const [after, before] = [torquesAt(s, j, STEP), torquesAt(s, j, -STEP)];
      for (const [i, torque] of after.entries())
        columns[i][j][s] = (before[i] - torque) / (2 * STEP) - (i === j ? (joints[j].values.stiffness ?? 0) : 0);
    }
  return columns.map((own) => own.map((column) => seenInBand(column, recording, filtering.torqueBand)));
}

/** Appends columns of zeros of all recordings but the first, which counts as the robot's, to the channels of each. */
export const withZeroColumns = (
  channels: readonly Channel[],
  columns: readonly (readonly (readonly Float64Array[])[])[],
): Channel[] =>
  channels.map((channel, c) => {
    const joints = columns[0].length;
    const recording = Math.floor(c / joints);
    const own = columns.slice(1).flatMap((of, r) => (r + 1 === recording ? of[c % joints] : of[0].map(() => EMPTY)));
    return { ...channel, columns: [...channel.columns, ...own] };
  });

const EMPTY = new Float64Array(0);

/** The part of a fit that is of a robot's `count` parameters; other unknowns, which come before them, have their best values. */
export function ofRobotAlone(fit: Fit, count: number): Fit {
  const { base, values, factor } = fit;
  const first = base.independent.filter((p) => p >= count).length;
  const kept = base.dependent.flatMap((p, k) => (p < count ? [k] : []));
  return {
    ...fit,
    base: {
      independent: base.independent.slice(first),
      dependent: kept.map((k) => base.dependent[k]),
      mix: base.mix.slice(first).map((row) => kept.map((k) => row[k])),
    },
    values: values.slice(first),
    factor: factor.slice(first).map((row) => row.slice(first)),
  };
}

/**
 * Finds the zeros of a log's positions, rad or m, from its first seconds and the parameters of the robot.
 *
 * @throws GradsimError for a log of less than twice as long.
 */
export function zerosOfBeginning(
  robot: Robot,
  log: JointLog,
  parameters: readonly number[],
  { seconds, delay, ...filtering }: Filtering & { readonly seconds: number; readonly delay: number },
): number[] {
  const [begin, end] = [log.time[0], log.time[log.time.length - 1]];
  if (end - begin < 2 * seconds)
    throw new GradsimError(
      'robots/log-shorter-than-zeros',
      `${log.name} has ${(end - begin).toPrecision(3)} s; its first ${seconds} s are for the zeros of its positions.`,
      { field: 'zeros', hint: 'They may be up to half of it.' },
    );
  const count = log.time.findIndex((t) => t > begin + seconds);
  const part = (values: readonly number[]): number[] => values.slice(0, count);
  const beginning = {
    ...log,
    time: part(log.time),
    positions: log.positions.map(part),
    torques: log.torques.map(part),
    ...(log.commands && { commands: { ...log.commands, asked: log.commands.commanded.map(part) } }),
  };
  let zeros = log.positions.map(() => 0);
  for (let round = 0; round < ROUNDS; round++) {
    const recording = recordingOf(robot, withZeros(beginning, zeros), filtering);
    const columns = zeroColumns(robot, recording, parameters, filtering);
    fillLoads(recording, parameters);
    const channels = channelsOf(recording, delay, filtering.torqueBand);
    const normal = zeros.map((_, i) =>
      zeros.map((__, k) => sumOver(channels, (c, s) => columns[c][i][s] * columns[c][k][s])),
    );
    const all = { base: { independent: parameters.map((_, p) => p), dependent: [], mix: [] }, values: parameters };
    const residuals = channels.map((channel) => residualsOf(channel, all));
    const right = zeros.map((_, i) => sumOver(channels, (c, s) => columns[c][i][s] * residuals[c][s]));
    const base = baseParameters(
      normal,
      zeros.map((_, i) => i),
    );
    const { values } = solveBase(base, normal, right);
    zeros = zeros.map((zero, j) => zero + (values[base.independent.indexOf(j)] ?? 0));
  }
  return zeros;
}

function sumOver(channels: readonly Channel[], of: (channel: number, sample: number) => number): number {
  let total = 0;
  for (const [c, { counts }] of channels.entries())
    for (let s = 0; s < counts.length; s++) if (counts[s] > 0) total += of(c, s);
  return total;
}
