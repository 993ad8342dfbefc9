import type { Device } from '@gradsim/core';
import type { Problem } from '../problem/problem.ts';

/** Argument of a function that builds a problem in a worker. */
export interface ProblemContext<Settings = unknown> {
  /** The `settings` of {@link estimateInWorker}. */
  readonly settings: Settings;
  /** The worker's device, on which the estimation runs. */
  readonly device: Device;
}

/** Function that builds a problem from settings, on a device. */
export type MakeProblem<Settings = unknown> = (context: ProblemContext<Settings>) => Problem | Promise<Problem>;
