import type { ForetoldTorques } from '@gradsim/robots';

/** Errors of the torques of a joint in a recording, root mean square in the band of torques, N m or N. */
export interface TorqueErrors {
  readonly log: string;
  readonly isHeldOut: boolean;
  readonly joint: string;
  /** `N m` of a joint that turns, `N` of one that slides. */
  readonly unit: string;
  /** Root mean square of the torque itself. */
  readonly torque: number;
  /** Noise of the torque, from what it holds above the band; 0 if samples are too far apart to tell. */
  readonly noise: number;
  /** Error of what the model file as given predicts. */
  readonly given: number;
  /** Error of what the calibrated robot predicts. */
  readonly calibrated: number;
  /** Error that a calibration with the held-out log alone leaves in it, if that is long enough for one. */
  readonly leftByOwnFit?: number;
  /** Independent samples in the band that count. */
  readonly independent: number;
}

/** Independent samples from which on errors of a joint in a log are judged by themselves: a root mean square of 25 is known to 14 %. */
const MIN_INDEPENDENT_SAMPLES = 25;

/**
 * Errors of joints in logs that have enough samples, and of each joint in all shorter ones together, such as flights of a
 * hop: a few samples beside an impact say little.
 */
export function judgedTogether(errors: readonly TorqueErrors[]): readonly TorqueErrors[] {
  const isShort = ({ independent }: TorqueErrors): boolean => independent < MIN_INDEPENDENT_SAMPLES;
  const joints = [...new Set(errors.filter(isShort).map(({ joint }) => joint))];
  const pooled = joints.map((joint): TorqueErrors => {
    const own = errors.filter((one) => one.joint === joint && isShort(one));
    const independent = own.reduce((sum, one) => sum + one.independent, 0);
    const rms = (of: (one: TorqueErrors) => number): number =>
      Math.sqrt(own.reduce((sum, one) => sum + one.independent * of(one) ** 2, 0) / Math.max(independent, 1e-12));
    return {
      ...own[0],
      ...(own.length > 1 && { log: `${own.length} short logs, from ${own[0].log}` }),
      torque: rms(({ torque }) => torque),
      noise: rms(({ noise }) => noise),
      given: rms(({ given }) => given),
      calibrated: rms(({ calibrated }) => calibrated),
      independent,
    };
  });
  return [...errors.filter((one) => !isShort(one)), ...pooled];
}

/** Root mean square errors of predicted torques, by joint: N m or N, over the samples in which the joint slides. */
export const rmsErrors = (torques: ForetoldTorques): number[] =>
  torques.predicted.map((torque, j) => rms(torques, j, (s) => torque[s] - torques.inBand[j][s]));

/** Root mean squares of the torques of a log in the band, by joint, over the same samples. */
export const rmsTorques = (torques: ForetoldTorques): number[] =>
  torques.inBand.map((torque, j) => rms(torques, j, (s) => torque[s]));

/** Samples of a recording without half a period of the band at either end. */
export function middleOf(time: Float64Array, band: number): { readonly first: number; readonly end: number } {
  const ends = Math.min(Math.ceil(1 / (2 * band * (time[1] - time[0]))), Math.floor(time.length / 4));
  return { first: ends, end: time.length - ends };
}

/** Independent samples of each joint that count, in a band. */
export const independentSamples = ({ slides, from, time }: ForetoldTorques, band: number): number[] =>
  slides.map(
    (own) =>
      2 * band * (time[1] - time[0]) * own.reduce((all, counts, s) => all + (s >= from && counts > 0 ? 1 : 0), 0),
  );

function rms({ slides, from }: ForetoldTorques, j: number, of: (sample: number) => number): number {
  let [squares, count] = [0, 0];
  for (const [s, counts] of slides[j].entries())
    if (s >= from && counts > 0) {
      squares += of(s) ** 2;
      count++;
    }
  return Math.sqrt(squares / Math.max(count, 1));
}
