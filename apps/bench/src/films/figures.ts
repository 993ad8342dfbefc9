import type { Device } from '@gradsim/core';
import type { FilmRecord } from '@gradsim/films/record';
import type { Estimate } from '@gradsim/optim';
import type { Sighting } from './tracks.ts';

/** An unknown as it was found. */
export interface Figure {
  readonly estimate: number;
  /** Null where the film does not determine it. */
  readonly standardError: number | null;
}

/** What a kind's estimation gives: figures by the names of the record's truth. */
export interface Found {
  readonly figures: Readonly<Record<string, Figure>>;
  readonly estimate: Estimate;
}

/** What an estimation is given: of the record, what is known. */
export interface FilmProblem {
  readonly known: Pick<FilmRecord, 'camera' | 'known' | 'frames' | 'frameRate'>;
  readonly sightings: readonly (Sighting | null)[];
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
  if (typeof value === 'number' || value === undefined)
    throw new Error(`The film's record tells no vector ${name}.`);
  return value;
}

/** A parameter, or what follows from it: with the first derivative's standard error. */
export function figureOf(
  found: Estimate,
  name: string,
  of: (value: number) => number = (value) => value,
): Figure {
  const { estimate, standardError } = found.parameters[name];
  const step = 1e-4 * Math.max(Math.abs(estimate), 1e-6);
  const slope = (of(estimate + step) - of(estimate - step)) / (2 * step);
  return {
    estimate: of(estimate),
    standardError: standardError === null ? null : Math.abs(slope) * standardError,
  };
}
