import type { Summary } from '@gradsim/study';
import type { Json } from './trial.ts';

/** Why an attempt at a trial has no result. */
export type Reason =
  /** The trial's function threw, or returned what is no JSON: it would again. */
  | 'error'
  /** Its process ended by itself: a signal, an abort of native code, `process.exit`. */
  | 'crash'
  | 'time limit'
  | 'memory limit';

/** What running a trial took. */
interface Cost {
  readonly seconds: number;
  /** Processor time of the process, all threads. */
  readonly cpuSeconds: number;
  /** Largest resident memory of the process during the trial, MB. */
  readonly megabytes: number;
}

/** How one attempt at a trial ended. */
export type Attempt =
  | { readonly status: 'done'; readonly result: Json; readonly summary: Summary; readonly cost: Cost }
  | { readonly status: 'failed'; readonly reason: Reason; readonly message: string; readonly cost: Partial<Cost> };

/** A line of results: a trial with how its last attempt ended. */
export interface Outcome {
  readonly id: string;
  readonly settings: Json;
  readonly attempts: number;
  readonly ended: Attempt;
}

/** Trials that failed otherwise than by throwing may succeed when tried again. */
export const mayDiffer = (attempt: Attempt): boolean => attempt.status === 'failed' && attempt.reason !== 'error';
