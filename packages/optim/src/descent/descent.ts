import type { Simulation } from '@gradsim/core';
import type { Plan } from '../plan/plan.ts';
import type { Explosion } from './exploding-gradients.ts';

/** Input of a descent from one or several points side by side. */
export interface Descent extends Plan {
  readonly points: readonly Float64Array[];
  /** True if all points descend until convergence; otherwise all end as soon as one fits exactly. */
  readonly isWhole?: boolean;
  /** Simulation to reuse in repeated descents, with as many worlds as the points need. Default: a new one. */
  readonly simulation?: Simulation;
}

/** End of the descent from one start: its point and loss. */
export interface End {
  readonly x: Float64Array;
  readonly loss: number;
  /** J^T J at the end, divided by the sum of weights; undefined if only gradients are computed. */
  readonly hessian?: Float64Array;
}

/**
 * Reason why a search ended: no step gains more than the tolerance, the maximum number of iterations, or an interrupt.
 */
export type Stopped = 'tolerance' | 'iterations' | 'interrupted';

export interface Ends {
  /** Ends of all starts, best first. */
  readonly ends: readonly End[];
  readonly stopped: Stopped;
  /** First gradient of the search that exploded; undefined if none did. */
  readonly exploded?: Explosion;
  /** Final losses of the starts; `lastGain`: gain of the last hop allowed if every hop gained something, else null. */
  readonly restarts?: { readonly starts: readonly number[]; readonly lastGain: number | null };
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
