import type { Check } from '@gradsim/optim';
import type { Film } from '../film.ts';
import { outlineCentroidAndSize } from './fields.ts';

/** Relative difference up to which two frame rates count as equal, as 29.97 and 30 frames/s do. */
const SAME = 0.01;

/**
 * Check of the given frame rate against the file's own. A ratio of a whole number means slow motion, which is reported;
 * with any other ratio one of the two rates is wrong.
 */
export function clockCheck(film: Film): Check {
  const note = noteOn(film);
  return { field: outlineCentroidAndSize, of: () => note };
}

function noteOn({ info, takenRate }: Film): ReturnType<Check['of']> {
  const own = info.frameRate;
  if (own === undefined) return undefined;
  const slower = takenRate / own;
  if (Math.abs(slower - 1) <= SAME) return undefined;
  const [played, given] = [own, takenRate].map((rate) => Number(rate.toPrecision(4)));
  const times = Math.round(slower);
  if (times >= 2 && Math.abs(slower / times - 1) <= SAME)
    return {
      isCritical: false,
      note: `By the frame rate that was given, ${given} a second, the film plays ${times} times slower than it was taken.`,
    };
  return {
    isCritical: true,
    note: `The frame rate was given as ${given} a second, and the file plays ${played}: slow motion is a whole number of times slower, so one of the two is wrong, and with it all times (velocities by ${percent(slower)} %, gravity by ${percent(slower ** 2)} %). Leave the frame rate out if the file's clock is right.`,
  };
}

const percent = (ratio: number): string => String(Math.round(100 * Math.abs(ratio - 1)));
