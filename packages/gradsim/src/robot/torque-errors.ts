import type { ForetoldTorques } from '@gradsim/robots';

/** Errors of the torques of a joint in a recording, root mean square in the band of torques, N m or N. */
export interface TorqueErrors {
  readonly log: string;
  readonly isHeldOut: boolean;
  readonly joint: string;
  /** Root mean square of the torque itself. */
  readonly torque: number;
  /** Error of what the model file as given predicts. */
  readonly given: number;
  /** Error of what the calibrated robot predicts. */
  readonly calibrated: number;
  /** Error that a calibration with the held-out log alone leaves in it. */
  readonly leftByOwnFit?: number;
}

/**
 * Root mean square errors of predicted torques, by joint: N m or N. The ends, which the filter distorts, are left out.
 * @param band of torques, Hz.
 */
export function rmsErrors({ time, from, foretold, inBand }: ForetoldTorques, band: number): number[] {
  const { first, end } = middleOf(time, band, from);
  return foretold.map((torque, j) => rms(torque.slice(first, end).map((x, s) => x - inBand[j][first + s])));
}

/** Root mean squares of the torques of a log in the band, by joint. */
export function rmsTorques({ time, from, inBand }: ForetoldTorques, band: number): number[] {
  const { first, end } = middleOf(time, band, from);
  return inBand.map((torque) => rms(torque.slice(first, end)));
}

/** Samples of a recording without half a period of the band at either end, and without those before `from`. */
export function middleOf(time: Float64Array, band: number, from = 0): { readonly first: number; readonly end: number } {
  const ends = Math.min(Math.ceil(1 / (2 * band * (time[1] - time[0]))), Math.floor(time.length / 4));
  return { first: Math.max(ends, from), end: time.length - ends };
}

const rms = (values: Float64Array): number => Math.sqrt(values.reduce((sum, x) => sum + x * x, 0) / values.length);
