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
}

/** Root mean square errors of predicted torques, by joint: N m or N, over the samples in which the joint slides. */
export const rmsErrors = (torques: ForetoldTorques): number[] =>
  torques.foretold.map((torque, j) => rms(torques, j, (s) => torque[s] - torques.inBand[j][s]));

/** Root mean squares of the torques of a log in the band, by joint, over the same samples. */
export const rmsTorques = (torques: ForetoldTorques): number[] =>
  torques.inBand.map((torque, j) => rms(torques, j, (s) => torque[s]));

/** Samples of a recording without half a period of the band at either end. */
export function middleOf(time: Float64Array, band: number): { readonly first: number; readonly end: number } {
  const ends = Math.min(Math.ceil(1 / (2 * band * (time[1] - time[0]))), Math.floor(time.length / 4));
  return { first: ends, end: time.length - ends };
}

function rms({ slides, from }: ForetoldTorques, j: number, of: (sample: number) => number): number {
  let [squares, count] = [0, 0];
  for (const [s, counts] of slides[j].entries())
    if (s >= from && counts > 0) {
      squares += of(s) ** 2;
      count++;
    }
  return Math.sqrt(squares / Math.max(count, 1));
}
