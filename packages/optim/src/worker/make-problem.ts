import type { Device } from '@gradsim/core';
import type { Problem } from '../problem/problem.ts';

/** What a problem is built with. */
export interface ProblemContext<Settings = unknown> {
  /** What {@link estimateInWorker} was given as `settings`. */
  readonly settings: Settings;
  /** The device that the estimate will run on. */
  readonly device: Device;
}

/** Builds a problem. */
export type MakeProblem<Settings = unknown> = (context: ProblemContext<Settings>) => Problem | Promise<Problem>;
