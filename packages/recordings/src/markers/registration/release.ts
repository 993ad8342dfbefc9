import { mean, type Vector, vectorOf } from '@gradsim/base';
import { GradsimError } from '@gradsim/core';
import type { MarkerRecording } from '../recording.ts';

/** Frames from the beginning of a recording from which the noise of markers at rest is taken. */
const REST_FRAMES = 20;
/** Frames before the motion that are left out of rest positions. */
const EXCLUDED_FRAMES = 4;
/** Least displacement that counts as motion, m, and in multiples of the noise. */
const MIN_DISPLACEMENT = { metres: 2e-4, noise: 6 } as const;

/** Start of the motion of a body that is held and let go. */
export interface MotionStart {
  /** First frame in which markers have moved. */
  readonly frame: number;
  /** Mean positions before it, m, of the chosen markers. */
  readonly restPositions: readonly Vector[];
  /** Standard deviation of a coordinate at rest, m. */
  readonly noise: number;
}

/**
 * Finds where markers begin to move.
 * @throws where they never do, or are not there before.
 */
export function findStart(
  { name, positions, frames, markers }: MarkerRecording,
  chosen: readonly number[],
): MotionStart {
  const at = (f: number, m: number, c: number): number => positions[3 * (f * markers.length + m) + c];
  const meanOf = (m: number, c: number, end: number): number =>
    mean(Array.from({ length: end }, (_, f) => at(f, m, c)).filter(Number.isFinite));
  const places = chosen.flatMap((m) => [0, 1, 2].map((c) => ({ m, c })));
  const still = Math.min(REST_FRAMES, frames);
  const first = places.map(({ m, c }) => meanOf(m, c, still));
  const missing = chosen.find((_, k) => Number.isNaN(first[3 * k]));
  if (missing !== undefined)
    throw new GradsimError(
      'markers/not-seen-at-rest',
      `${name}: marker ${markers[missing]} is not seen in the first ${still} frames.`,
      {
        hint: 'A recording begins while the body is held at rest, with all markers in view.',
      },
    );
  let [squares, count] = [0, 0];
  for (const [k, { m, c }] of places.entries())
    for (let f = 0; f < still; f++) {
      const from = at(f, m, c) - first[k];
      if (Number.isFinite(from)) {
        squares += from ** 2;
        count++;
      }
    }
  const noise = Math.sqrt(squares / Math.max(1, count - places.length));
  const threshold = Math.max(MIN_DISPLACEMENT.metres, MIN_DISPLACEMENT.noise * noise);
  const moved = (f: number): boolean =>
    places.reduce((sum, { m, c }, k) => sum + (Number.isNaN(at(f, m, c)) ? 0 : (at(f, m, c) - first[k]) ** 2), 0) >
    chosen.length * threshold ** 2;
  let frame = still;
  // In three frames one after another: a single one may be an outlier.
  while (frame + 2 < frames && !(moved(frame) && moved(frame + 1) && moved(frame + 2))) frame++;
  if (frame + 2 >= frames)
    throw new GradsimError(
      'markers/nothing-moves',
      `${name}: markers move by less than ${threshold.toPrecision(2)} m.`,
      {
        hint: 'The body is held at rest, then let go.',
      },
    );
  const end = Math.max(1, frame - EXCLUDED_FRAMES);
  const restPositions = chosen.map((m) => vectorOf((c) => meanOf(m, c, end)));
  return { frame, restPositions, noise };
}
