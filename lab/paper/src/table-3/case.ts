import type { Device } from '@gradsim/core';
import type { Estimate, Problem } from '@gradsim/optim';

/** A random instance of a row of the table: a film, and the unknowns to estimate from it. */
export interface Case {
  /** Estimation problem with the filmed model and the true value of every unknown. */
  readonly problem: Problem;
  /** Runs the estimation, from initial values drawn far from the truth. */
  readonly estimate: () => Promise<Estimate>;
  /** Error of each unknown of the table: relative, or in rad for an angle. */
  readonly errors: (found: Estimate) => Readonly<Record<string, number>>;
  /** Name of the table's unknown that a parameter belongs to. */
  readonly unknownOf: (parameter: string) => string;
}

/** Draws an instance by its number, and films it. */
export type DrawCase = (instance: number, device: Device) => Promise<Case>;
