import type { Problem } from '@gradsim/optim';
import type { FilmInfo } from '@gradsim/video';
import { unevenTimes } from './uneven.ts';

/** Relative error of a camera's quartz clock; a tolerance below it is no larger than that of an exact rate. */
const QUARTZ = 1e-4;

/**
 * Relative standard deviation of a frame rate by the file's own clock: the difference between the given rate and that
 * of the time stamps, and the error of their mean rate if each is off by up to half of the unevenness of their steps.
 * 0 below the error of a quartz clock. Undefined where no time stamps tell the rate: in images and slow motion.
 *
 * @param frameRate rate at which the film was taken, frames/s.
 */
export function clockToleranceOf(
  { frameRate: own, steps, times, frameCount }: FilmInfo,
  frameRate: number,
): number | undefined {
  if (own === undefined) return undefined;
  const off = Math.abs(frameRate / own - 1);
  // The rate of slow motion is not that of the time stamps.
  if (off > SAME_RATE) return undefined;
  // Uneven times are used as they are.
  const uneven =
    steps && !times ? ((steps.longest - steps.shortest) * own) / Math.sqrt(6) / Math.max(1, frameCount - 1) : 0;
  const tolerance = Math.hypot(uneven, off);
  return tolerance < QUARTZ ? 0 : tolerance;
}

/** Relative difference up to which two frame rates count as equal, as 29.97 and 30 frames/s do. */
export const SAME_RATE = 0.01;

/**
 * What a problem made from a film says of its clock: when frames were taken, if that is uneven, and the tolerance of the
 * frame rate; none if nothing tells it, or if an unknown is found by values alone, whose interval cannot include it.
 */
export function clockOf(
  { clockTolerance, info }: { readonly clockTolerance?: number; readonly info: FilmInfo },
  parameters: Problem['parameters'] = [],
): Pick<Problem, 'clockTolerance' | 'unevenTimes'> {
  const uneven = unevenTimes(info);
  const isTold =
    clockTolerance !== undefined && !(clockTolerance > 0 && parameters.some(({ derivative }) => derivative === 'none'));
  return { ...(isTold ? { clockTolerance } : {}), ...(uneven === undefined ? {} : { unevenTimes: uneven }) };
}
