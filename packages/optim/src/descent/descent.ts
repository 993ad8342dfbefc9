import type { Simulation } from '@gradsim/core';
import type { Plan } from '../plan/plan.ts';

/** Input of a descent from one or several points side by side. */
export interface Descent extends Plan {
  readonly points: readonly Float64Array[];
  /** True if all points descend until convergence; otherwise all end as soon as one fits exactly. */
  readonly isWhole?: boolean;
  /** Simulation to reuse in repeated descents, with as many worlds as the points need. Default: a new one. */
  readonly simulation?: Simulation;
}

/** Reads all frames of a recorded field in one world, flat [frame][element][component]. */
export const framesOf = async (simulation: Simulation, field: string, world: number): Promise<Float64Array> => {
  const all = await simulation.readFrames(field);
  const { framesTaken: frames, worlds } = simulation;
  const values = all.length / frames / worlds;
  const own = new Float64Array(frames * values);
  for (let f = 0; f < frames; f++)
    own.set(all.subarray((f * worlds + world) * values, (f * worlds + world + 1) * values), f * values);
  return own;
};
