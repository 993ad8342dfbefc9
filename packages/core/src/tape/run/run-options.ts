import type { StopSignal } from '@gradsim/base';

/** Options of `Simulation.forward`. */
export interface ForwardOptions {
  /** Number of frames to run, including the first. Default: all of the simulation. */
  readonly frames?: number;
}

/** Options of `Simulation.runBack`. */
export interface RunBackOptions {
  readonly signal?: StopSignal;
  /** Called after every frame with the number of completed frames and the total number. */
  readonly onProgress?: (done: number, of: number) => void;
}

/** Options of `Simulation.run`. */
export type RunOptions = ForwardOptions & RunBackOptions;

export const FORWARD_OPTIONS = { frames: true };
export const RUN_BACK_OPTIONS = { signal: true, onProgress: true };
export const RUN_OPTIONS = { ...FORWARD_OPTIONS, ...RUN_BACK_OPTIONS };
