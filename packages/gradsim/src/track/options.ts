import { GradsimError } from '@gradsim/core';

/** Options of `gradsim track`. */
export interface TrackCommandOptions {
  readonly track?: number;
  readonly first?: number;
  readonly last?: number;
  readonly frameRate?: number;
  readonly background?: string;
  readonly steady?: boolean;
  /** Known length, m, between two places, px. */
  readonly length?: number;
  readonly between?: readonly number[];
  /** Diameter of the thing, m. */
  readonly size?: number;
  readonly lengthTolerance: number;
  /** Place of the origin, px. */
  readonly origin?: readonly number[];
  /** Angle of the x axis, degrees. */
  readonly axis: number;
  /** Number of the thing that is followed. */
  readonly object?: number;
  readonly marks?: string;
  readonly markError?: number;
  /** True with `--marks-alone`: nothing is followed by itself. */
  readonly marksAlone?: boolean;
  readonly mass?: number;
  readonly gravity: number;
  readonly window?: number;
  readonly fit: readonly string[];
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
