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

/** Lets timers, messages and signals have their turn. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    // Timers wait, for a second in a tab that is hidden; messages do not.
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    }
  });
}
