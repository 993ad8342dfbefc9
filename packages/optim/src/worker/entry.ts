/** The part of a web page's `Worker` interface that is used here. */
export interface PageWorker {
  postMessage(message: unknown): void;
  terminate(): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'messageerror', listener: () => void): void;
  addEventListener(type: 'error', listener: (event: PageWorkerError) => void): void;
}

/** Details of an uncaught error in a page's worker; all undefined if the worker could not be loaded. */
export interface PageWorkerError {
  readonly message?: string;
  readonly filename?: string;
  readonly lineno?: number;
  preventDefault(): void;
}

/** The part of the `Worker` interface of `node:worker_threads` that is used here. */
export interface NodeWorker {
  postMessage(message: unknown): void;
  terminate(): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'messageerror' | 'error', listener: (error: Error) => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
}

/** Module that defines a problem: its address, as a URL or text, or a function that creates a new worker running it. */
export type WorkerEntry = { readonly href: string } | string | (() => PageWorker | NodeWorker);
