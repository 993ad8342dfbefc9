import { NORMAL_97_5_QUANTILE } from '../covariance/uncertainty.ts';
import type { FittedGiven, GivenSystem, JointRecordingSystem } from './member.ts';
import type { SharedError } from './shared-errors.ts';
import { eliminateOwn } from './shared-step.ts';
import { solveSymmetric } from './solve-symmetric.ts';

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
 */
export function errorsOfGiven(
  systems: readonly JointRecordingSystem[],
  slopes: readonly number[],
  givens: readonly GivenSystem[],
): Record<string, number>[] {
  const count = slopes.length;
  const parts = systems.map((system) => eliminateOwn(system, 0));
  const information = slopes.map((_, i) =>
    slopes.map((__, j) => parts.reduce((sum, part) => sum + part.information[i][j], 0)),
  );
  const quantities = new Map<string, { name: string; tolerance: number; recordings: number; mixed: number[] }>();
  for (const system of givens) {
    const { information: own } = eliminateOwn(system, 0);
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
    if (recordings < 2) continue;
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
  errors.map(({ standardError, halfLength }, i) => {
    const given = Math.hypot(...Object.values(ofGiven[i]));
    return {
      standardError: standardError === null ? null : Math.hypot(standardError, given),
      halfLength: halfLength === null ? null : Math.hypot(halfLength, NORMAL_97_5_QUANTILE * given),
      ofGiven: ofGiven[i],
    };
  });

/**
 * Standard errors from the information of all recordings, each of which counts as the standard errors of the estimate from it
 * alone say, and of priors: the inverse H^-1 of their sum. Given quantities are own unknowns of each recording, with their
 * tolerances as priors; one that several recordings have, of the same name, value and tolerance, was measured once: its
 * error moves all in one direction, by the sum of what it does to each, in place of the root of the sum of squares.
 *
 * @param slopes derivatives d value / d coordinate of the shared unknowns.
 * @param givens given quantities of each recording.
 */
export function errorsByInformation(
  systems: readonly JointRecordingSystem[],
  slopes: readonly number[],
  givens: readonly (readonly FittedGiven[])[],
): SharedErrorOfGiven[] {
  const parts = systems.map((system) => eliminateOwn(system, 0));
  const information = slopes.map((_, i) =>
    slopes.map((__, j) => parts.reduce((sum, part) => sum + part.information[i][j], 0)),
  );
  const inverse = slopes.map((_, i) =>
    solveSymmetric(
      information,
      slopes.map((__, k) => Number(k === i)),
    ),
  );
  const quantities = new Map<string, { name: string; moved: number[]; squares: number[] }>();
  givens.forEach((own, r) => {
    for (const { name, value, tolerance, unknownIndex: k, slope } of own) {
      const key = JSON.stringify([name, value, tolerance]);
      const found = quantities.get(key) ?? { name, moved: slopes.map(() => 0), squares: slopes.map(() => 0) };
      quantities.set(key, found);
      inverse.forEach((row, i) => {
        const moved = row.reduce((sum, c, j) => sum - c * slope * parts[r].along[j][k], 0);
        found.moved[i] += moved;
        found.squares[i] += moved * moved;
      });
    }
  });
  return slopes.map((slope, i) => {
    const ofGiven: Record<string, number> = {};
    let variance = inverse[i][i];
    for (const { name, moved, squares } of quantities.values()) {
      variance += moved[i] ** 2 - squares[i];
      ofGiven[name] = Math.hypot(ofGiven[name] ?? 0, slope * moved[i]);
    }
    const standardError =
      inverse[i][i] > 0 ? Math.abs(slope) * Math.sqrt(Math.max(variance, 0)) : Number.POSITIVE_INFINITY;
    return { standardError, halfLength: NORMAL_97_5_QUANTILE * standardError, ofGiven };
  });
}
