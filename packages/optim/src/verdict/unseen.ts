import type { Effect } from '../posterior/departures.ts';
import { twoDigits } from '../posterior/sentences.ts';
import type { Uncertainty } from '../posterior/uncertainty.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';

/** Shift of an unknown, in standard errors, that must leave something to see for an error not to be listed as unseen. */
const MIN_SHIFT = 10;
/**
 * Length of the residuals that an error leaves, over that of the noise, from which on the tests for departures find it:
 * they look along many directions, at false-alarm rates of about 1e-4.
 */
const DETECTABLE_LENGTH = 6;
/**
 * Sizes up to which an error may easily be there and not be known: a relative error of the frame rate, as of 29.97
 * frames/s taken for 30, and the share of the speed that drag takes over the film.
 */
const COMMON_SIZES = { clock: 1e-3, drag: 1e-2 } as const;
/** Size of each error at an amplitude of 1: a lag that grows with the square of time by 1 over the film ends at a rate of 2. */
const UNIT_SIZES = { clock: 1, drag: 2 } as const;

/** A small error that the observations do not show, since another value of some unknown looks the same. */
export interface Unseen {
  /** `clock`: the frame rate is wrong; `drag`: something slows the motion that the model lacks. */
  readonly kind: 'clock' | 'drag';
  /**
   * Size that biases an unknown by its standard error: the relative error of the frame rate, or the share of the speed
   * that is lost by the last frame.
   */
  readonly size: number;
  /** Name of the unknown that it biases most, in standard errors. */
  readonly unknown: string;
  /** All of this as a sentence. */
  readonly note: string;
}

/**
 * Lists the errors that residuals would not show, at sizes at which they often occur.
 *
 * @param isClockTold true if the problem says how exact the frame rate is.
 */
export function unseenErrors(
  effects: readonly Effect[],
  { names }: Unknowns,
  { deviations }: Uncertainty,
  isClockTold: boolean,
): Unseen[] {
  return effects.flatMap(({ kind, shift, residualLength }): Unseen[] => {
    if (kind === 'clock' && isClockTold) return [];
    const rates = names.map((_, i) => Math.abs(shift[i]) / deviations[i]);
    const most = Math.max(...rates);
    const size = UNIT_SIZES[kind] / most;
    if (!(size < COMMON_SIZES[kind]) || (MIN_SHIFT / most) * residualLength > DETECTABLE_LENGTH) return [];
    const unknown = names[rates.indexOf(most)];
    return [{ kind, size, unknown, note: NOTES[kind](twoDigits(100 * size), unknown) }];
  });
}

const NOTES = {
  clock: (size: string, unknown: string): string =>
    `A frame rate that is ${size} % off would not show, and biases ${unknown} by its standard error. Where the rate is not known to that, tell \`clockTolerance\`.`,
  drag: (size: string, unknown: string): string =>
    `Drag or friction that the model lacks, and that takes ${size} % of the speed by the last frame, would not show, and biases ${unknown} by its standard error. Where there may be as much, make it an unknown, or a given quantity of 0 with a tolerance.`,
};
