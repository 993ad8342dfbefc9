import type { Simulation } from '@gradsim/core';

/** What a run of several worlds comes to: losses, and their derivatives with respect to what they are functions of. */
export interface Tally {
  /** By world; not finite where the run was not. */
  readonly losses: Float64Array;
  /** Adjoints of recorded fields, [frame][world][element][component], by key; null where only losses are wanted. */
  readonly seeds: Map<string, Float64Array> | null;
  /** By world of the run: the derivative of the loss by the sum of squared residuals. */
  readonly squares: Float64Array;
  /** Derivatives with respect to the fields that unknowns go to, as they are set: by world and key. */
  readonly direct: Map<string, Float64Array>[];
}

/** A run whose losses are wanted. */
export interface TermRun {
  readonly simulation: Simulation;
  /** The worlds whose losses are wanted, in the order of the tally's. */
  readonly worlds: readonly number[];
  /** Values of a field that unknowns go to, as they are in one of these worlds. */
  readonly given: (key: string, at: number) => Float64Array;
}

/** One of the losses that a problem adds up. */
export interface Term {
  readonly name: string;
  /** Keys of the recorded fields that it looks at. */
  readonly fields: readonly string[];
  /** Keys of the fields of unknowns whose own values it looks at. */
  readonly direct?: readonly string[];
  /** Adds its loss in each world, and the derivatives where they are wanted. */
  add(to: Tally, run: TermRun): Promise<void>;
}

/** The adjoints of a recorded field in a tally, zeros at first. */
export function seedsOf({ seeds }: Tally, simulation: Simulation, key: string): Float64Array {
  const { elements, components } = simulation.shape(key);
  const length = simulation.framesTaken * simulation.worlds * elements * components;
  const known = seeds!.get(key);
  if (known?.length === length) return known;
  const made = new Float64Array(length);
  seeds!.set(key, made);
  return made;
}
