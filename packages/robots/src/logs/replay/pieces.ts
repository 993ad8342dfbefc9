import { blocksOf } from '../covariance.ts';
import type { Recording } from '../recording/recording.ts';

/** Stretch of a recording that is simulated from a state of its own: of the samples that a fit sees, from `first` to before `end`. */
export interface Piece {
  readonly recording: number;
  readonly first: number;
  readonly end: number;
}

/**
 * Pieces of recordings: the blocks whose residuals count as independent, so that no error is carried from one into the next.
 * @param delay time by which commands are read later than positions, s: samples at an end of a recording whose commands are
 * not logged are in none.
 */
export function piecesOf(recordings: readonly Recording[], delay: number): Piece[] {
  const joints = recordings[0].columns.length;
  return blocksOf(recordings).map(({ channels, first, end }) => {
    const recording = Math.floor(channels[0] / joints);
    const { step, stride, time } = recordings[recording];
    const lost = Math.ceil(delay / (step * stride));
    return { recording, first: Math.max(first, -lost), end: Math.min(end, Math.floor(time.length / stride) - lost) };
  });
}

/**
 * Means of the samples of a recording for each that a fit sees: of positions as measured and replayed alike, since derivatives
 * by what is unknown are slow beside the samples, and encoders' noise is not.
 */
export function meansOf({ time, stride }: Recording, values: (sample: number) => number): Float64Array {
  const means = new Float64Array(Math.ceil(time.length / stride));
  for (let s = 0; s < stride * Math.floor(time.length / stride); s++)
    means[Math.floor(s / stride)] += values(s) / stride;
  return means;
}
