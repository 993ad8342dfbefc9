import type { Device } from '@gradsim/core';
import type { ObservedOutline } from '@gradsim/film';
import type { FilmRecord } from '@gradsim/films/record';
import type { Estimate } from '@gradsim/optim';
import type { FilmPictures } from './tracks.ts';

/** Estimate of one unknown. */
export interface Figure {
  readonly estimate: number;
  /** Standard error; null if the film does not determine the unknown. */
  readonly standardError: number | null;
}

/** Result of an estimation: figures by the names that the record's truth has. */
export interface Found {
  readonly figures: Readonly<Record<string, Figure>>;
  readonly estimate: Estimate;
}

/** Input of an estimation: the known part of the record, the pictures and the tracked outlines. */
export interface FilmProblem {
  readonly known: Pick<FilmRecord, 'camera' | 'known' | 'frames' | 'frameRate'>;
  readonly pictures: FilmPictures;
  /** Outline of the object in each frame; null where it is not seen. */
  readonly sightings: readonly (ObservedOutline | null)[];
  readonly device: Device;
}

/** Returns a known number of the record. @throws if the record has no such number. */
export function knownNumber({ known }: FilmProblem['known'], name: string): number {
  const value = known[name];
  if (typeof value !== 'number') throw new Error(`The film's record tells no number ${name}.`);
  return value;
}

/** Returns a known vector of the record. @throws if the record has no such vector. */
export function knownVector({ known }: FilmProblem['known'], name: string): readonly number[] {
  const value = known[name];
  if (typeof value === 'number' || value === undefined) throw new Error(`The film's record tells no vector ${name}.`);
  return value;
}

/**
 * Derives a figure from one or more estimated parameters, by default as the parameter itself. Its standard error
 * follows from their standard errors and correlations, to first order.
 */
export function figureOf(
  found: Estimate,
  names: string | readonly string[],
  of: (...values: number[]) => number = (value) => value,
): Figure {
  const all = Object.keys(found.parameters);
  const chosen = typeof names === 'string' ? [names] : names;
  const values = chosen.map((name) => found.parameters[name].estimate);
  const errors = chosen.map((name) => found.parameters[name].standardError);
  const reached = values.map((value, k) => {
    const step = 1e-4 * Math.max(Math.abs(value), 1e-6);
    const moved = (by: number): number => of(...values.map((v, i) => (i === k ? v + by : v)));
    return ((moved(step) - moved(-step)) / (2 * step)) * (errors[k] ?? Number.NaN);
  });
  let variance = 0;
  for (const [i, a] of reached.entries()) {
    for (const [j, b] of reached.entries()) {
      const correlation = i === j ? 1 : found.correlation[all.indexOf(chosen[i])]?.[all.indexOf(chosen[j])];
      variance += a * b * (correlation ?? Number.NaN);
    }
  }
  // Not a number where one of them is not determined.
  return {
    estimate: of(...values),
    standardError: Number.isNaN(variance) ? null : Math.sqrt(Math.max(variance, 0)),
  };
}
