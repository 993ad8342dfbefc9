import { anyText, json, notNegative, object, oneOf, optional, type Rule, record, rule } from '../../shape.ts';
import type { Summary } from '../define/index.ts';
import type { Json } from '../trial.ts';

/** Reason why an attempt at a trial has no result. */
export type Reason =
  /** The trial's function threw, or returned something that is not JSON: a retry would do the same. */
  | 'error'
  /** Its process ended by itself: a signal, an abort of native code, `process.exit`. */
  | 'crash'
  | 'time limit'
  | 'memory limit'
  /** Trouble of the machine, such as a full disk. It is no result: the trial runs again when the study is continued. */
  | 'machine';

/** Resources that a trial used. */
interface Cost {
  readonly seconds: number;
  /** Processor time used by the process during the trial, over all threads, s. */
  readonly cpuSeconds: number;
  /** Largest resident memory of the process during the trial, MB. */
  readonly megabytes: number;
}

/** End of one attempt at a trial: a result, or a reason. */
export type Attempt =
  | { readonly status: 'done'; readonly result: Json; readonly summary: Summary; readonly cost: Cost }
  | { readonly status: 'failed'; readonly reason: Reason; readonly message: string; readonly cost: Partial<Cost> };

/** Result line: a trial, and how its last attempt ended. */
export interface Outcome {
  readonly id: string;
  readonly settings: Json;
  readonly attempts: number;
  readonly ended: Attempt;
  /** For a trial from a queue: the machine of its worker, and when its outcome arrived, by the coordinator's clock. */
  readonly from?: { readonly machine: string; readonly arrived: string };
}

/**
 * True if a retry may have another result: the trial failed for a reason other than an error thrown by its function.
 */
export const mayDiffer = (attempt: Attempt): boolean => attempt.status === 'failed' && attempt.reason !== 'error';

const DONE = object({
  status: oneOf('done'),
  result: json,
  summary: record(
    rule(
      'a number, a text, true, false or null',
      (value) => value === null || Number.isFinite(value) || typeof value === 'string' || typeof value === 'boolean',
    ),
  ),
  cost: object({ seconds: notNegative, cpuSeconds: notNegative, megabytes: notNegative }),
});
const FAILED = object({
  status: oneOf('done', 'failed'),
  reason: oneOf('error', 'crash', 'time limit', 'memory limit', 'machine'),
  message: anyText,
  cost: object({
    seconds: optional(notNegative),
    cpuSeconds: optional(notNegative),
    megabytes: optional(notNegative),
  }),
});

/** Rule for an {@link Attempt} that was written by another process: in a file, or on a server. */
export const attempt: Rule = (value) =>
  (value as Partial<Attempt> | null)?.status === 'done' ? DONE(value) : FAILED(value);
