import type { Device } from '@gradsim/core';
import type { Estimate, Problem } from '@gradsim/optim';

/** A random instance of a row of the table: a film, and what is to be found from it. */
export interface Case {
  /** Problem whose model is filmed, with the truth of every unknown. */
  readonly problem: Problem;
  /** Estimates from a start drawn far from the truth. */
  readonly estimate: () => Promise<Estimate>;
  /** Error of each unknown of the table: relative, of angles in rad. */
  readonly errors: (found: Estimate) => Readonly<Record<string, number>>;
  /** The unknown of the table that a parameter belongs to. */
  readonly unknownOf: (parameter: string) => string;
}

/** Draws an instance by its number, and films it. */
export type DrawCase = (instance: number, device: Device) => Promise<Case>;
