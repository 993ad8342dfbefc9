import type { DeviceName } from '@gradsim/core';
import type { Estimate, Iteration } from '../result.ts';
import type { Failure } from './failure.ts';

/** Tells messages of estimations from others that a worker may send. */
const TAG = 'gradsim estimate';

/** What a worker is at: its module is loaded, the problem made, kernels compiled for it, or simulations run. */
export type WorkerStage = 'loading' | 'building' | 'compiling' | 'running';

/** To a worker. */
export type Order =
  | { readonly kind: 'run'; readonly task: Task }
  /** To let go of its device at the next opportunity, and end by itself. */
  | { readonly kind: 'end' };

/** What a worker is asked for. */
export interface Task {
  readonly settings: unknown;
  readonly device: DeviceName;
  readonly threads?: number;
  readonly workerUrl?: string;
  /** Fields of which every progress has all frames. */
  readonly frames: readonly string[];
  /** A lock of the page to hold for as long as there is the worker, see {@link holdLock}. */
  readonly lock?: string;
}

/** From a worker. */
export type Report =
  /** It waits for its task. */
  | { readonly kind: 'ready' }
  /** It holds the lock. */
  | { readonly kind: 'held' }
  /** It has its device, of that kind. */
  | { readonly kind: 'opened'; readonly device: string }
  /** It is alive, and what it is at. */
  | { readonly kind: 'alive'; readonly stage: WorkerStage }
  | {
      readonly kind: 'progress';
      readonly line: Iteration;
      readonly of: number;
      /** Its history is left out. */
      readonly best: Estimate;
      /** Of the fields that were asked for, or none. */
      readonly frames: Readonly<Record<string, Float64Array>>;
    }
  | { readonly kind: 'done'; readonly estimate: Estimate }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** An order or a report as it is sent. */
export const tagged = <Content>(content: Content): { readonly [TAG]: Content } => ({ [TAG]: content });

/** What was sent {@link tagged}; undefined for the message of somebody else. */
export const untagged = (message: unknown): unknown =>
  typeof message === 'object' && message !== null && TAG in message ? message[TAG] : undefined;
