import type { DeviceName } from '@gradsim/core';
import type { Estimate, Iteration } from '../result.ts';
import type { Failure } from './failure.ts';

/** Key that marks messages of estimations among others of a worker. */
const TAG = 'gradsim estimate';

/** Activity of a worker: loading its module, building the problem, compiling kernels, or running simulations. */
export type WorkerStage = 'loading' | 'building' | 'compiling' | 'running';

/** Message to a worker. */
export type Order =
  | { readonly kind: 'run'; readonly task: Task }
  /** Release the device as soon as possible, and end. */
  | { readonly kind: 'end' };

/** Task of a worker. */
export interface Task {
  readonly settings: unknown;
  readonly device: DeviceName;
  readonly threads?: number;
  readonly workerUrl?: string;
  /** Fields whose frames are sent with every progress. */
  readonly frames: readonly string[];
  /** Lock of the page to hold during the worker's life, see {@link holdLock}. */
  readonly lock?: string;
}

/** Message from a worker. */
export type Report =
  /** Waiting for its task. */
  | { readonly kind: 'ready' }
  /** Holding the lock. */
  | { readonly kind: 'held' }
  /** Its device, of that kind, is open. */
  | { readonly kind: 'opened'; readonly device: string }
  /** Alive, in that stage. */
  | { readonly kind: 'alive'; readonly stage: WorkerStage }
  | {
      readonly kind: 'progress';
      readonly line: Iteration;
      readonly of: number;
      /** Best estimate, without its history. */
      readonly best: Estimate;
      /** Frames of the requested fields, or none. */
      readonly frames: Readonly<Record<string, Float64Array>>;
    }
  | { readonly kind: 'done'; readonly estimate: Estimate }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** Wraps an order or report for sending. */
export const tagged = <Content>(content: Content): { readonly [TAG]: Content } => ({ [TAG]: content });

/** Content of a {@link tagged} message; undefined for other messages. */
export const untagged = (message: unknown): unknown =>
  typeof message === 'object' && message !== null && TAG in message ? message[TAG] : undefined;
