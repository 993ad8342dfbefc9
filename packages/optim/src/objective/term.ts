import type { Simulation } from '@gradsim/core';

/** Accumulator of the losses of a run with several worlds, and of their derivatives. */
export interface LossAccumulator {
  /** Loss of each world; not finite if the world's run was not. */
  readonly losses: Float64Array;
  /** Adjoints of recorded fields, [frame][world][element][component], by key; null if only losses are computed. */
  readonly seeds: Map<string, Float64Array> | null;
  /** For each world of the run, the derivative of the loss with respect to the sum of squared residuals. */
  readonly squares: Float64Array;
  /** For each world, derivatives of the loss with respect to fields that unknowns set, by key. */
  readonly directDerivatives: Map<string, Float64Array>[];
}

/** A finished run whose losses are computed. */
export interface TermRun {
  readonly simulation: Simulation;
  /** Indices of the worlds whose losses are computed, in the order of the accumulator. */
  readonly worlds: readonly number[];
  /** Returns the values of a field that unknowns set, in the world `worlds[at]`. */
  readonly fieldValues: (key: string, at: number) => Float64Array;
}

/** One of the losses whose sum a problem minimises. */
export interface Term {
  readonly name: string;
  /** Keys of the recorded fields that the loss uses. */
  readonly fields: readonly string[];
  /** Keys of the fields set by unknowns that the loss uses directly. */
  readonly directFields?: readonly string[];
  /** Adds the loss of each world to the accumulator, and its derivatives if the accumulator collects them. */
  add(to: LossAccumulator, run: TermRun): Promise<void>;
}

/** Adjoints of a recorded field in a accumulator; created as zeros when first requested. */
export function seedsOf({ seeds }: LossAccumulator, simulation: Simulation, key: string): Float64Array {
  const { elements, components } = simulation.shape(key);
  const length = simulation.framesTaken * simulation.worlds * elements * components;
  const known = seeds!.get(key);
  if (known?.length === length) return known;
  const made = new Float64Array(length);
  seeds!.set(key, made);
  return made;
}
