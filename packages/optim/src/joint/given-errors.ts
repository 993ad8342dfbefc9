import { REACH } from '../covariance/uncertainty.ts';
import type { GivenSystem, MemberSystem } from './member.ts';
import type { SharedError } from './shared-errors.ts';
import { reduced, solveSymmetric } from './shared-step.ts';

/** Uncertainty of a shared parameter, with the part of each given quantity in its standard error, by name. */
export interface SharedErrorOfGiven extends SharedError {
  readonly ofGiven: Readonly<Record<string, number>>;
}

/**
 * Standard deviations of the shared parameters that tolerances of given quantities cause, by the quantity's name. An
 * error of dg in a quantity moves the shared unknowns by -H^-1 K dg, with the information H of all recordings and the
 * sum K of the mixed terms of those that have the quantity, both after elimination of the recordings' own unknowns.
 *
 * One that several recordings have, of the same name, value and tolerance, was measured once, and its error is common
 * to them. What a single recording has differs from recording to recording, so the disagreement of these shows it.
 *
 * @param slopes derivatives d value / d coordinate of the shared unknowns.
 * @param fewest number of recordings that have a quantity from which its error counts: 2 where disagreement shows others.
 */
export function errorsOfGiven(
  systems: readonly MemberSystem[],
  slopes: readonly number[],
  givens: readonly GivenSystem[],
  fewest: number,
): Record<string, number>[] {
  const count = slopes.length;
  const parts = systems.map((system) => reduced(system, 0));
  const information = slopes.map((_, i) =>
    slopes.map((__, j) => parts.reduce((sum, part) => sum + part.information[i][j], 0)),
  );
  const quantities = new Map<string, { name: string; tolerance: number; recordings: number; mixed: number[] }>();
  for (const system of givens) {
    const { information: own } = reduced(system, 0);
    system.given.forEach(({ name, value, tolerance }, k) => {
      const key = JSON.stringify([name, value, tolerance]);
      const found = quantities.get(key) ?? { name, tolerance, recordings: 0, mixed: slopes.map(() => 0) };
      found.recordings++;
      for (let i = 0; i < count; i++) found.mixed[i] += own[i][count + k];
      quantities.set(key, found);
    });
  }
  const all = slopes.map((): Record<string, number> => ({}));
  for (const { name, tolerance, recordings, mixed } of quantities.values()) {
    if (recordings < fewest) continue;
    const moved = solveSymmetric(information, mixed);
    slopes.forEach((slope, i) => {
      all[i][name] = Math.hypot(all[i][name] ?? 0, slope * moved[i] * tolerance);
    });
  }
  return all;
}

/** Adds what given quantities cause to the standard errors and intervals of the shared parameters. */
export const withGiven = (
  errors: readonly SharedError[],
  ofGiven: readonly Readonly<Record<string, number>>[],
): SharedErrorOfGiven[] =>
  errors.map(({ standardError, reach }, i) => {
    const given = Math.hypot(...Object.values(ofGiven[i]));
    return {
      standardError: standardError === null ? null : Math.hypot(standardError, given),
      reach: reach === null ? null : Math.hypot(reach, REACH * given),
      ofGiven: ofGiven[i],
    };
  });
