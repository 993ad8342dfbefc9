import { GradsimError } from '@gradsim/kernel';
import { described } from '@gradsim/kernel/internal';
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

/** Substeps of a run. */
export interface StepClock {
  readonly substeps: number;
  /** Duration of a substep, s; of the longest, if frames have times of their own. */
  readonly dt: number;
  /** Times of the frames, s, if they are not even. */
  readonly frameTimes?: readonly number[];
}

/** Rounding of frame times in parts of a mean frame: below it frames are even, and every substep has one duration. */
const EVEN = 1e-9;

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

/**
 * Returns the clock of the first `frames` frames with a rate in place of times, if these are even up to rounding.
 * @throws unless there is one of the two, for a rate that is not positive, and for times that do not ascend from 0.
 */
export function checkedClock({ frameRate, frameTimes }: FrameClock, frames: number): FrameClock {
  const refuse = (field: keyof FrameClock, message: string): never => {
    throw new GradsimError('core/option-out-of-range', message, { field });
  };
  if (frameTimes === undefined) {
    if (!(typeof frameRate === 'number' && Number.isFinite(frameRate) && frameRate > 0))
      refuse('frameRate', `frameRate must be a positive number of frames a second, got ${described(frameRate)}.`);
    return { frameRate };
  }
  if (frameRate !== undefined)
    refuse('frameTimes', 'frameRate and frameTimes both say when frames are; give one of them.');
  if (!Array.isArray(frameTimes) || frameTimes.length < Math.max(frames, 2))
    refuse(
      'frameTimes',
      `frameTimes must be a list with a time in s for each of ${Math.max(frames, 2)} frames, got ${
        Array.isArray(frameTimes) ? frameTimes.length : described(frameTimes)
      }.`,
    );
  const times = frameTimes.slice(0, Math.max(frames, 2));
  times.forEach((time, k) => {
    if (k === 0 ? time !== 0 : !(Number.isFinite(time) && time > times[k - 1]))
      refuse(
        'frameTimes',
        k === 0
          ? `frameTimes must begin with 0, the time of the initial state, got ${described(time)}.`
          : `frameTimes must ascend: frame ${k} has ${described(time)} after ${times[k - 1]}.`,
      );
  });
  const mean = times.at(-1)! / (times.length - 1);
  const isEven = times.every((time, k) => Math.abs(time - k * mean) <= EVEN * mean);
  return isEven ? { frameRate: 1 / mean } : { frameTimes: times };
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
        `${frameTimes ? `a frame takes ${interval} s` : `frameRate is ${frameRate}`} and substeps ${substeps}, so a substep takes ${of(interval)} s, which must ${must}.`,
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
