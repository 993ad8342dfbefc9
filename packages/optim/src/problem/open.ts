import type { Simulation, SimulationOptions } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import type { Problem } from './problem.ts';

/** A simulation of a problem, with the values that the model does not hold. */
export async function open(
  { model, frames, frameRate, substeps, values = {} }: Problem,
  options: Omit<SimulationOptions, 'frames' | 'frameRate' | 'substeps'>,
): Promise<Simulation> {
  const simulation = await createSimulation(model, { ...options, frames, frameRate, substeps });
  try {
    for (const [field, given] of Object.entries(values)) simulation.set(field, given);
  } catch (error) {
    simulation.dispose();
    throw error;
  }
  return simulation;
}
