import { describeValue, GradsimError } from '@gradsim/base';
import type { StepClock } from '@gradsim/kernel/internal';
import { flawOf } from './fit.ts';

/** Times of the frames of a run: so many a second (`frameRate`), or each its own (`frameTimes`). */
export interface FrameClock {
  /** Frames per second. */
  readonly frameRate?: number;
  /**
   * Times of the frames, s, ascending from 0, in place of `frameRate`: of a film with dropped frames or an uneven rate,
   * say. There may be more than `frames`. The substeps of each frame divide its own time.
   */
  readonly frameTimes?: readonly number[];
}

/**
 * Returns the time of a frame from that of frame 0, s.
 *
 * ```ts
 * const seconds = timeOfFrame({ frameRate: 30 }, 12);
 * ```
 */
export const timeOfFrame = ({ frameRate, frameTimes }: FrameClock, frame: number): number =>
  frameTimes ? frameTimes[frame] : frame / frameRate!;

/** Returns the frames per second, of frames with times of their own by the median time between two. */
export function usualRate({ frameRate, frameTimes }: FrameClock): number {
  if (!frameTimes) return frameRate!;
  const between = frameTimes.slice(1).map((time, k) => time - frameTimes[k]);
  return 1 / between.sort((a, b) => a - b)[between.length >> 1];
}

/** Returns a clock whose frames follow each other `times` as fast. */
export const fasterClock = ({ frameRate, frameTimes }: FrameClock, times: number): FrameClock =>
  frameTimes ? { frameTimes: frameTimes.map((time) => time / times) } : { frameRate: times * frameRate! };

/** Returns the clock of something that has one, without its other properties. */
export const clockOf = ({ frameRate, frameTimes }: FrameClock): FrameClock => ({
  ...(frameRate === undefined ? {} : { frameRate }),
  ...(frameTimes === undefined ? {} : { frameTimes }),
});

/** @throws for a rate that is not a positive number. */
export function checkedRate(frameRate: number | undefined): FrameClock {
  if (typeof frameRate === 'number' && Number.isFinite(frameRate) && frameRate > 0) return { frameRate };
  throw new GradsimError(
    'core/option-out-of-range',
    `frameRate must be a positive number of frames a second, got ${describeValue(frameRate)}.`,
    { field: 'frameRate' },
  );
}

/**
 * Returns the substeps of a checked clock.
 * @throws for substeps too short or too long for single precision.
 */
export function stepClock({ frameRate, frameTimes }: FrameClock, substeps: number): StepClock {
  const intervals = frameTimes?.slice(1).map((time, k) => time - frameTimes[k]) ?? [1 / frameRate!];
  const of = (interval: number): number => interval / substeps;
  for (const interval of intervals) {
    const must = flawOf(of(interval), { scalar: 'f32', range: 'positive' });
    if (must)
      throw new GradsimError(
        'core/option-out-of-range',
        `${frameTimes ? `a frame takes ${interval} s` : `frameRate is ${describeValue(frameRate)}`} and substeps ${substeps}, so a substep takes ${of(interval)} s, which must ${must}.`,
        { field: frameTimes ? 'frameTimes' : 'frameRate' },
      );
  }
  if (frameTimes) return { substeps, dt: of(Math.max(...intervals)), frameTimes };
  return { substeps, dt: 1 / (frameRate! * substeps) };
}

/** Returns the time before a substep, s. */
export function timeOfSubstep({ substeps, dt, frameTimes }: StepClock, substep: number): number {
  if (!frameTimes) return substep * dt;
  const frame = Math.floor(substep / substeps);
  const from = frameTimes[frame];
  const next = frameTimes[frame + 1] ?? from;
  return from + ((substep - frame * substeps) / substeps) * (next - from);
}
