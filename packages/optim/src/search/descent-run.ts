import type { Simulation } from '@gradsim/core';
import type { Explosion } from './explosion.ts';
import type { Plan } from './plan.ts';

/** A descent from one or several points, side by side. */
export interface DescentRun extends Plan {
  readonly points: readonly Float64Array[];
  /** True if all points continue to convergence, even when one of them fits exactly before. */
  readonly isWhole?: boolean;
  /** Simulation to reuse for repeated descents; it has as many worlds as needed. Default: a new one. */
  readonly simulation?: Simulation;
}

/** End of one start. */
export interface End {
  readonly x: Float64Array;
  readonly loss: number;
  /** J^T J over the sum of weights; undefined where only gradients are known. */
  readonly hessian?: Float64Array;
}

/** Why a search ended: no step gains more than the tolerance, the iterations allowed are over, or an interrupt. */
export type Stopped = 'tolerance' | 'iterations' | 'interrupted';

export interface Ends {
  /** Ends of all starts, best first. */
  readonly ends: readonly End[];
  readonly stopped: Stopped;
  /** The first gradient of the search that exploded. */
  readonly exploded?: Explosion;
  /** Final losses of the starts, and the gain of the last allowed hop, if each hop gained something. */
  readonly restarts?: { readonly starts: readonly number[]; readonly lastGain: number | null };
}

/** Every frame of a recorded field in one world: [frame][element][component]. */
export const framesOf = async (simulation: Simulation, field: string, world: number): Promise<Float64Array> => {
  const all = await simulation.readFrames(field);
  const { framesTaken: frames, worlds } = simulation;
  const values = all.length / frames / worlds;
  const own = new Float64Array(frames * values);
  for (let f = 0; f < frames; f++)
    own.set(all.subarray((f * worlds + world) * values, (f * worlds + world + 1) * values), f * values);
  return own;
};
