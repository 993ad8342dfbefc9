/** Part of the `Worker` interface of pages that is used here. */
export interface PageWorker {
  postMessage(message: unknown): void;
  terminate(): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'messageerror', listener: () => void): void;
  addEventListener(type: 'error', listener: (event: PageWorkerError) => void): void;
}

/** Known facts of an uncaught error in a worker of a page; undefined if the worker could not be loaded. */
export interface PageWorkerError {
  readonly message?: string;
  readonly filename?: string;
  readonly lineno?: number;
  preventDefault(): void;
}

/** Part of the `Worker` interface of `node:worker_threads` that is used here. */
export interface NodeWorker {
  postMessage(message: unknown): void;
  terminate(): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'messageerror' | 'error', listener: (error: Error) => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
}

/**
 * Source of a problem: the address of the module that defines it, a URL or a text as `new Worker` takes it; or a
 * function that makes a new worker of it each time.
 */
export type WorkerEntry = { readonly href: string } | string | (() => PageWorker | NodeWorker);
