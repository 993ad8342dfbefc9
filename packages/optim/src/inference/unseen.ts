import { multiplyVector } from '@gradsim/numeric';
import type { Unknowns } from '../unknowns/unknowns.ts';
import type { Sums } from './course-sums.ts';
import { SMALLEST_SQUARE } from './course-sums.ts';
import type { Candidate } from './direction.ts';
import { short } from './numbers.ts';
import type { Uncertainty } from './uncertainty.ts';

/** Effect of an error of the clock, or of a small drag, on the unknowns, and what it leaves in the residuals. */
export interface Effect {
  readonly kind: 'clock' | 'drag';
  /** Shift of the unknowns' coordinates by an error of size 1. */
  readonly moved: Float64Array;
  /** Length of the residuals that an error of size 1 leaves once the unknowns are fitted, over that of the noise. */
  readonly left: number;
}

/** Shift of an unknown, in standard errors, that must leave something to see for an error not to be listed as unseen. */
const SHIFT = 10;
/**
 * Length of the residuals that an error leaves, over that of the noise, from which on the tests for departures find it:
 * they look along many directions, at false-alarm rates of about 1e-4.
 */
const SEEN = 6;
/**
 * Sizes up to which an error may easily be there and not be known: a relative error of the frame rate, as of 29.97
 * frames/s taken for 30, and the share of the speed that drag takes over the film.
 */
const EASILY = { clock: 1e-3, drag: 1e-2 } as const;
/** Size of each error at an amplitude of 1: a lag that grows with the square of time by 1 over the film ends at a rate of 2. */
const SIZE = { clock: 1, drag: 2 } as const;

/**
 * Computes the effects of a wrong clock and of a small drag. The lag of all observations at once, g, moves the unknowns
 * by (J^T J)^-1 J^T g, and leaves g - J (J^T J)^-1 J^T g.
 *
 * @param asked indices of the unknowns; what was measured is held fixed. `inverse`: (J^T J)^-1 of these, row by row.
 * @param noise variance of a residual times the number of residuals that carry the information of one independent one.
 */
export function effectsOf(
  sums: Sums,
  candidates: readonly Candidate[],
  {
    asked,
    inverse,
    noise,
  }: { readonly asked: readonly number[]; readonly inverse: Float64Array; readonly noise: number },
): Effect[] {
  const { products, courses, nuisances } = sums;
  const all = courses.length;
  const between = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, i) => sum + b.reduce((part, j) => part + products[i * all + j], 0), 0);
  return (['clock', 'drag'] as const).flatMap((kind): Effect[] => {
    const own = candidates.filter((candidate) => candidate.kind === kind).flatMap((candidate) => candidate.courses);
    const whole = between(own, own);
    if (!(whole > 0) || !(noise > 0)) return [];
    const slopes = Float64Array.from(asked, (i) => between([i], own));
    const shift = multiplyVector(inverse, slopes);
    const remainder = whole - slopes.reduce((sum, slope, at) => sum + slope * shift[at], 0);
    const moved = new Float64Array(nuisances.unknowns);
    asked.forEach((i, at) => {
      moved[i] = shift[at];
    });
    return [{ kind, moved, left: Math.sqrt(Math.max(SMALLEST_SQUARE, remainder) / noise) }];
  });
}

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
export function unseenBy(
  effects: readonly Effect[],
  { names }: Unknowns,
  { deviations }: Uncertainty,
  isClockTold: boolean,
): Unseen[] {
  return effects.flatMap(({ kind, moved, left }): Unseen[] => {
    if (kind === 'clock' && isClockTold) return [];
    const rates = names.map((_, i) => Math.abs(moved[i]) / deviations[i]);
    const most = Math.max(...rates);
    const size = SIZE[kind] / most;
    if (!(size < EASILY[kind]) || (SHIFT / most) * left > SEEN) return [];
    const unknown = names[rates.indexOf(most)];
    return [{ kind, size, unknown, note: NOTES[kind](short(100 * size), unknown) }];
  });
}

const NOTES = {
  clock: (size: string, unknown: string): string =>
    `A frame rate that is ${size} % off would not show, and biases ${unknown} by its standard error. Where the rate is not known to that, tell \`clockTolerance\`.`,
  drag: (size: string, unknown: string): string =>
    `Drag or friction that the model lacks, and that takes ${size} % of the speed by the last frame, would not show, and biases ${unknown} by its standard error. Where there may be as much, make it an unknown, or a given quantity of 0 with a tolerance.`,
};
