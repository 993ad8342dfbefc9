import type { Device, StopSignal } from '@gradsim/core';
import type { Problem } from '../problem/problem.ts';

/** Argument of a function that builds a problem in a worker. */
export interface ProblemContext<Settings = unknown> {
  /** The `settings` of {@link estimateInWorker}. */
  readonly settings: Settings;
  /** The worker's device, on which the estimation runs. */
  readonly device: Device;
  /** Signal that is aborted when the estimation ends early: pass it to slow operations, such as reading a film. */
  readonly signal?: StopSignal;
  /**
   * Reports the progress of building to the page, as {@link WorkerProgress.building}.
   * @param step name of the current step, such as `reading`.
   * @param fraction finished share of the step, 0 to 1.
   */
  readonly onProgress?: (step: string, fraction: number) => void;
}

/** Function that builds a problem from settings, on a device. */
export type MakeProblem<Settings = unknown> = (context: ProblemContext<Settings>) => Problem | Promise<Problem>;
