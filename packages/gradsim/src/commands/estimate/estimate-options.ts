import type { EstimateRequest } from '../../experiment/record/record.ts';

/** Options of `gradsim estimate`. */
export interface EstimateCommandOptions {
  readonly video?: string;
  readonly track?: number;
  readonly device: string;
  readonly threads?: number;
  readonly profile?: boolean;
  readonly out?: string;
  readonly resume?: string;
  readonly json?: boolean;
  readonly force?: boolean;
  readonly seed?: number;
  readonly iterations?: number;
  readonly starts?: number;
  readonly from?: string;
  readonly intervals?: EstimateRequest['intervals'];
  readonly verify?: true;
  readonly set: Readonly<Record<string, string>>;
  /** Unknowns that several experiments share. */
  readonly shared?: readonly string[];
  /** Formulas that are fitted to the motion that a film shows, and values at which their searches start. */
  readonly fit: readonly string[];
  readonly start: Readonly<Record<string, string>>;
  /** Plan whose foretold standard errors are compared with those found. */
  readonly plan?: string;
  readonly quiet?: boolean;
}
