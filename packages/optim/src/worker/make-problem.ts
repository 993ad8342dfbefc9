import type { Device } from '@gradsim/core';
import type { Problem } from '../problem/problem.ts';

/** Context for building a problem. */
export interface ProblemContext<Settings = unknown> {
  /** The `settings` of {@link estimateInWorker}. */
  readonly settings: Settings;
  /** The device that the estimate will run on. */
  readonly device: Device;
}

/** Builds a problem. */
export type MakeProblem<Settings = unknown> = (context: ProblemContext<Settings>) => Problem | Promise<Problem>;
