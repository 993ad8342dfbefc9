import type { Simulation } from '@gradsim/core';

/** Accumulated losses of a run of several worlds, and their derivatives. */
export interface Tally {
  /** Losses by world; not finite where the run was not. */
  readonly losses: Float64Array;
  /** Adjoints of recorded fields, [frame][world][element][component], by key; null if only losses are computed. */
  readonly seeds: Map<string, Float64Array> | null;
  /** Derivative of the loss with respect to the sum of squared residuals, by world of the run. */
  readonly squares: Float64Array;
  /** Derivatives with respect to the fields that unknowns set, by world and key. */
  readonly direct: Map<string, Float64Array>[];
}

/** A run whose losses are computed. */
export interface TermRun {
  readonly simulation: Simulation;
  /** Worlds whose losses are computed, in the order of the tally's. */
  readonly worlds: readonly number[];
  /** Values of a field that unknowns set, in one of these worlds. */
  readonly given: (key: string, at: number) => Float64Array;
}

/** One of the losses that a problem sums. */
export interface Term {
  readonly name: string;
  /** Keys of the recorded fields that it uses. */
  readonly fields: readonly string[];
  /** Keys of the fields of unknowns whose own values it uses. */
  readonly direct?: readonly string[];
  /** Adds its loss in each world, and the derivatives if requested. */
  add(to: Tally, run: TermRun): Promise<void>;
}

/** Adjoints of a recorded field in a tally, initialised with zeros. */
export function seedsOf({ seeds }: Tally, simulation: Simulation, key: string): Float64Array {
  const { elements, components } = simulation.shape(key);
  const length = simulation.framesTaken * simulation.worlds * elements * components;
  const known = seeds!.get(key);
  if (known?.length === length) return known;
  const made = new Float64Array(length);
  seeds!.set(key, made);
  return made;
}
