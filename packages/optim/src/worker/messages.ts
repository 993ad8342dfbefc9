import type { DeviceName } from '@gradsim/core';
import type { Iteration } from '../posterior/found.ts';
import type { Estimate } from '../result.ts';
import type { Failure } from './failure.ts';

/** Property name that distinguishes messages of an estimation from others of the same worker. */
const MESSAGE_TAG = 'gradsim estimate';

/** Activity of a worker: loading its module, building the problem, compiling kernels, or running simulations. */
export type WorkerStage = 'loading' | 'building' | 'compiling' | 'running';

/** Progress of building a problem, as reported by its function. */
export interface Building {
  /** Name of the current step. */
  readonly step: string;
  /** Finished share of the step, 0 to 1. */
  readonly fraction: number;
}

/** Message from the page to a worker. */
export type Order =
  | { readonly kind: 'run'; readonly task: Task }
  /** Release the device as soon as possible, and end. */
  | { readonly kind: 'end' };

/** Description of the estimation that a worker is to run. */
export interface Task {
  readonly settings: unknown;
  readonly device: DeviceName;
  readonly threads?: number;
  readonly workerUrl?: string;
  /** Keys of the fields whose frames are sent with each progress message. */
  readonly frames: readonly string[];
  /** Name of the lock that the worker holds until it ends, see {@link holdLock}. */
  readonly lock?: string;
}

/** Message from a worker to the page. */
export type Report =
  /** The worker waits for its task. */
  | { readonly kind: 'ready' }
  /** The worker holds the lock. */
  | { readonly kind: 'held' }
  /** The worker has opened its device, of the kind `device`. */
  | { readonly kind: 'opened'; readonly device: string }
  /** The worker is alive, in the stage `stage`. */
  | { readonly kind: 'alive'; readonly stage: WorkerStage }
  /** The problem's function reports its own progress. */
  | { readonly kind: 'building'; readonly building: Building }
  | {
      readonly kind: 'progress';
      readonly line: Iteration;
      readonly of: number;
      /** Best result so far, with an empty history. */
      readonly best: Estimate;
      /** All frames of the requested fields, by key; empty if none are due. */
      readonly frames: Readonly<Record<string, Float64Array>>;
    }
  | { readonly kind: 'done'; readonly estimate: Estimate }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** Wraps a message so that it is recognised as one of an estimation. */
export const tagged = <Content>(content: Content): { readonly [MESSAGE_TAG]: Content } => ({ [MESSAGE_TAG]: content });

/** Returns the content of a {@link tagged} message; undefined for other messages. */
export const untagged = (message: unknown): unknown =>
  typeof message === 'object' && message !== null && MESSAGE_TAG in message ? message[MESSAGE_TAG] : undefined;
