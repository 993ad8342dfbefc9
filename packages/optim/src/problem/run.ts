import type { Field, FrameClock, Model, Simulation, SimulationOptions } from '@gradsim/core';
import { clockOf } from '@gradsim/core';
import { compileShared, openSimulation } from '@gradsim/core/internal';

/** Number of frames of a run, and of substeps per frame. */
export interface Timeline {
  readonly frames: number;
  readonly substeps: number;
}

/** A model with its timeline. */
export interface Run extends Timeline, FrameClock {
  readonly model: Model;
  /** Number of frames; frame 0 is the initial state. */
  readonly frames: number;
  /** Physics substeps per frame. */
  readonly substeps: number;
  /**
   * Values of inputs over time, and of other fields that have none in the model, by field key, flat in the order that
   * `simulation.set` takes.
   */
  readonly values?: Readonly<Record<string, ArrayLike<number>>>;
}

/** Number of times at which a field has values in a run: frames, substeps, or 1. */
export function momentsOf({ variesBy }: Pick<Field, 'variesBy'>, { frames, substeps }: Timeline): number {
  if (variesBy === 'frame') return frames;
  return variesBy === 'substep' ? (frames - 1) * substeps : 1;
}

/** Creates the simulation of a run and sets the run's `values`. */
export async function open(
  { model, frames, substeps, values = {}, ...clock }: Run,
  options: Omit<SimulationOptions, 'frames' | keyof FrameClock | 'substeps'>,
): Promise<Simulation> {
  const simulation = await openSimulation(
    model,
    { ...options, frames, ...clockOf(clock), substeps },
    { compile: compileShared },
  );
  try {
    for (const [field, given] of Object.entries(values)) simulation.set(field, given);
  } catch (error) {
    simulation.dispose();
    throw error;
  }
  return simulation;
}
