import { blocksOf } from '../covariance.ts';
import type { Recording } from '../recording/recording.ts';

/** Stretch of a recording that is simulated from a state of its own: samples from `first` to before `end`. */
export interface RecordingPiece {
  readonly recording: number;
  readonly first: number;
  readonly end: number;
}

/**
 * Pieces of recordings: the blocks whose residuals count as independent, so that no error is carried from one into the next.
 * @param delay time by which commands are read later than positions, s: samples at an end of a recording whose commands are
 * not logged are in none.
 */
export function piecesOf(recordings: readonly Recording[], delay: number): RecordingPiece[] {
  const joints = recordings[0].columns.length;
  return blocksOf(recordings).map(({ channels, first, end }) => {
    const recording = Math.floor(channels[0] / joints);
    const { step, time } = recordings[recording];
    const lost = Math.ceil(delay / step);
    return { recording, first: Math.max(first, -lost), end: Math.min(end, time.length - lost) };
  });
}
