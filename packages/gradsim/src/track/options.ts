import { GradsimError } from '@gradsim/core';
import { formulaOf } from './fit.ts';
import type { TrackSettings } from './follow.ts';

/** Options of `gradsim track`: as typed, those that are files or pairs of words. */
export interface TrackCommandOptions extends Omit<TrackSettings, 'film' | 'marks' | 'start'> {
  readonly track?: number;
  readonly first?: number;
  readonly last?: number;
  readonly frameRate?: number;
  readonly background?: string;
  readonly steady?: boolean;
  readonly marks?: string;
  readonly start: Readonly<Record<string, string>>;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Checks that a scale is given, once. @throws otherwise. */
export function checkScale({ length, between, size }: TrackCommandOptions): void {
  if ((length === undefined) !== (between === undefined))
    throw new GradsimError(
      'gradsim/option-missing',
      'A known length takes both --length METRES and --between X,Y,X,Y, its ends in pixels.',
    );
  if (length !== undefined && size !== undefined)
    throw new GradsimError('gradsim/options-contradict', '--length and --size both say how large things are.', {
      hint: 'Give one of them.',
    });
  if (length === undefined && size === undefined)
    throw new GradsimError('gradsim/option-missing', 'How large are things in the film?', {
      hint: 'Give a length in the plane of the motion by --length METRES --between X,Y,X,Y, its ends in pixels, or the diameter of the thing by --size METRES.',
    });
}

/** Formulas of `--fit` with their starts of `--start`. @throws for what is no formula or no number. */
export function formulasOf({
  fit,
  start,
}: Pick<TrackCommandOptions, 'fit' | 'start'>): Pick<TrackSettings, 'fit' | 'start'> {
  for (const text of fit) formulaOf(text);
  return { fit, start: startsOf(start) };
}

/** Numbers of `--start name=value`. @throws for what is no number. */
export function startsOf(texts: Readonly<Record<string, string>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const value = Number(text.replace(',', '.'));
      if (text.trim() !== '' && Number.isFinite(value)) return [name, value];
      throw new GradsimError('gradsim/option-wrong', `--start ${name} takes a number, not "${text}".`, {
        field: '--start',
      });
    }),
  );
}
