import { describeValue, GradsimError } from '@gradsim/base';
import type { FrameClock } from './clock.ts';

/** Rounding of frame times in parts of a mean frame: below it frames are even, and every substep has one duration. */
const EVEN_TOLERANCE = 1e-9;

/**
 * Returns the clock of the first `frames` frames of those at given times, with a rate in place of times if these are even
 * up to rounding.
 * @throws for a rate beside the times, and for times that do not ascend from 0.
 */
export function checkedTimes({ frameRate, frameTimes }: FrameClock, frames: number): FrameClock {
  const refuse = (message: string): never => {
    throw new GradsimError('core/option-out-of-range', message, { field: 'frameTimes' });
  };
  if (frameRate !== undefined) refuse('frameRate and frameTimes both say when frames are; give one of them.');
  const count = Math.max(frames, 2);
  if (!Array.isArray(frameTimes) || frameTimes.length < count)
    refuse(
      `frameTimes must be a list with a time in s for each of ${count} frames, got ${
        Array.isArray(frameTimes) ? frameTimes.length : describeValue(frameTimes)
      }.`,
    );
  const times = frameTimes!.slice(0, count);
  if (times[0] !== 0)
    refuse(`frameTimes must begin with 0, the time of the initial state, got ${describeValue(times[0])}.`);
  times.forEach((time, k) => {
    if (k > 0 && !(Number.isFinite(time) && time > times[k - 1]))
      refuse(`frameTimes must ascend: frame ${k} has ${describeValue(time)} after ${times[k - 1]}.`);
  });
  const mean = times.at(-1)! / (count - 1);
  const isEven = times.every((time, k) => Math.abs(time - k * mean) <= EVEN_TOLERANCE * mean);
  return isEven ? { frameRate: 1 / mean } : { frameTimes: times };
}
