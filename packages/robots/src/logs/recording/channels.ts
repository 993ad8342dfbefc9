import { sumOverGroups } from '../coupling/coupled.ts';
import { JOINT_PARAMETERS } from '../regressor.ts';
import type { Channel } from '../robust-fit.ts';
import { lowPass } from './low-pass.ts';
import { type Recording, torquesOf } from './recording.ts';

/**
 * Torques filtered as the regressor is: by the filter that the motion went through before it was differentiated, and by that
 * of the band of torques.
 */
export const inBand = (torque: Float64Array, { motionBand, step }: Recording, band: number): Float64Array =>
  lowPass(lowPass(torque, motionBand, step), band, step);

/** Torques filtered as the regressor is, at the samples that a fit sees. */
export const seenInBand = (torque: Float64Array, recording: Recording, band: number): Float64Array =>
  strided(inBand(torque, recording, band), recording);

/** The samples that a fit sees. */
export const strided = (samples: Float64Array, { stride }: Recording): Float64Array =>
  stride === 1
    ? samples
    : Float64Array.from({ length: Math.ceil(samples.length / stride) }, (_, s) => samples[s * stride]);

/**
 * Fills in the columns of load friction (Hamon, Gautier and Garrec 2010): the direction of the rate times the absolute
 * torque that rigid bodies and armature take at given parameters.
 */
export function fillLoads(recording: Recording, parameters: ArrayLike<number>): void {
  const { columns, directions } = recording;
  const first = rigidCount(recording);
  for (const [j, own] of columns.entries()) {
    const armature = first + JOINT_PARAMETERS.length * j;
    const load = sumOfColumns(own, parameters, (p) => p < first || p === armature);
    own[armature + 3] = load.map((x, s) => Math.abs(x) * directions[j][s]);
  }
}

/** Number of parameters of links. */
const rigidCount = ({ columns }: Recording): number => columns[0].length - JOINT_PARAMETERS.length * columns.length;

/** Torques that the links of a recording need at given parameters: [joint][sample]. */
export const loadsOf = (recording: Recording, parameters: ArrayLike<number>): Float64Array[] =>
  recording.columns.map((own) => sumOfColumns(own, parameters, (p) => p < rigidCount(recording)));

/** Sum of the columns of a joint, times parameters, that `isMeant` chooses; empty columns are zero. */
export function sumOfColumns(
  columns: readonly Float64Array[],
  parameters: ArrayLike<number>,
  isMeant: (parameter: number) => boolean = () => true,
  count = Math.max(...columns.map(({ length }) => length)),
): Float64Array {
  const sum = new Float64Array(count);
  for (const [p, column] of columns.entries()) {
    const by = parameters[p];
    if (isMeant(p) && by !== 0) for (let s = 0; s < column.length; s++) sum[s] += by * column[s];
  }
  return sum;
}

/** Torques of the joints of a recording with the columns of their regressor, filtered alike. */
export function channelsOf(recording: Recording, delay: number, band: number): Channel[] {
  const { columns, slides, step, stride, bases } = recording;
  return torquesOf(recording, delay).map((torques, joint) => ({
    joint,
    isOfBase: joint < bases,
    columns: columns[joint].map((_, p) => filteredColumn(recording, joint, p, band)),
    torques: seenInBand(torques, recording, band),
    counts: strided(slides[joint], recording),
    density: 2 * band * step * stride,
  }));
}

/**
 * Appends a column for each joint: the change of its dry friction with the rate over which it turns around. That rate is not
 * known, and filters spread a turn over samples that count. It is told apart from no other width or lag of a turn, so its
 * coefficient is no estimate; without it, bars of long logs shrink while this error does not.
 */
export const withReversals = (
  channels: readonly Channel[],
  recordings: readonly Recording[],
  band: number,
): Channel[] => {
  /** Reversals of each joint in the equations of all: [recording][joint that turns around][joint]. */
  const all = recordings.map(({ reversals, groups }) =>
    reversals.map((own, k) =>
      sumOverGroups(
        groups,
        reversals.map((_, j) => (j === k ? own : EMPTY)),
      ),
    ),
  );
  return channels.map((channel, c) => {
    const r = Math.floor(c / (channels.length / recordings.length));
    const own = all[r].map((equations) => {
      const column = equations[channel.joint];
      return column.length === 0 ? EMPTY : seenInBand(column, recordings[r], band);
    });
    return { ...channel, columns: [...channel.columns, ...own] };
  });
};

const EMPTY = new Float64Array(0);

/** Filters a column of a joint's regressor. */
function filteredColumn(recording: Recording, joint: number, p: number, band: number): Float64Array {
  const column = recording.columns[joint][p];
  if (column.length === 0) return column;
  return isDry(recording, p)
    ? seenInBand(column, recording, band)
    : strided(lowPass(column, band, recording.step), recording);
}

/** True for columns of dry friction, which turns around faster than the motion that it comes of was filtered. */
const isDry = (recording: Recording, p: number): boolean => {
  const own = p - rigidCount(recording);
  return own >= 0 && own % JOINT_PARAMETERS.length >= JOINT_PARAMETERS.indexOf('dryFriction');
};

/** Torques of the joints that parameters need for the motion, in the band: [joint][sample]. */
export function neededTorques(recording: Recording, parameters: ArrayLike<number>, band: number): Float64Array[] {
  return recording.columns.map((own) => {
    const friction = inBand(
      sumOfColumns(own, parameters, (p) => isDry(recording, p)),
      recording,
      band,
    );
    const rest = sumOfColumns(own, parameters, (p) => !isDry(recording, p));
    return lowPass(rest, band, recording.step).map((x, s) => x + friction[s]);
  });
}

/** Replaces the column of load friction after {@link fillLoads}. */
export function withLoads(channel: Channel, recording: Recording, band: number): Channel {
  const { joint, columns } = channel;
  const p = rigidCount(recording) + JOINT_PARAMETERS.length * joint + 3;
  const loads = filteredColumn(recording, joint, p, band);
  return { ...channel, columns: columns.map((column, k) => (k === p ? loads : column)) };
}

/** Replaces the torques by those of another delay. */
export function withDelay(channels: readonly Channel[], recording: Recording, delay: number, band: number): Channel[] {
  const torques = torquesOf(recording, delay);
  return channels.map((channel) => ({ ...channel, torques: seenInBand(torques[channel.joint], recording, band) }));
}
