import type { Device } from '@gradsim/core';
import type { SeenOutline } from '@gradsim/film';
import type { FilmRecord } from '@gradsim/films/record';
import type { Estimate } from '@gradsim/optim';
import type { FilmPictures } from './tracks.ts';

/** An unknown as it was found. */
export interface Figure {
  readonly estimate: number;
  /** Null where the film does not determine it. */
  readonly standardError: number | null;
}

/** Result of a kind's estimation: figures by the names of the record's truth. */
export interface Found {
  readonly figures: Readonly<Record<string, Figure>>;
  readonly estimate: Estimate;
}

/** Input of an estimation: the known part of the record. */
export interface FilmProblem {
  readonly known: Pick<FilmRecord, 'camera' | 'known' | 'frames' | 'frameRate'>;
  readonly pictures: FilmPictures;
  /** Outlines found by colour, by frame. */
  readonly sightings: readonly (SeenOutline | null)[];
  readonly device: Device;
}

/** A number of the record's known ones. @throws where it is none. */
export function knownNumber({ known }: FilmProblem['known'], name: string): number {
  const value = known[name];
  if (typeof value !== 'number') throw new Error(`The film's record tells no number ${name}.`);
  return value;
}

/** The same of a vector. */
export function knownVector({ known }: FilmProblem['known'], name: string): readonly number[] {
  const value = known[name];
  if (typeof value === 'number' || value === undefined) throw new Error(`The film's record tells no vector ${name}.`);
  return value;
}

/**
 * Figure derived from parameters, which default to one: with the standard error from their standard errors and
 * correlations, to first order.
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
