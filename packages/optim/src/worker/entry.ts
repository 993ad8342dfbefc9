/** A worker of a page, as far as it is needed: any `Worker` is one. */
export interface PageWorker {
  postMessage(message: unknown): void;
  terminate(): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'messageerror', listener: () => void): void;
  addEventListener(type: 'error', listener: (event: PageWorkerError) => void): void;
}

/** What is known of an error that nobody caught in a worker of a page; nothing of one that could not be loaded. */
export interface PageWorkerError {
  readonly message?: string;
  readonly filename?: string;
  readonly lineno?: number;
  preventDefault(): void;
}

/** A worker thread of Node, as far as it is needed: any `Worker` of `node:worker_threads` is one. */
export interface NodeWorker {
  postMessage(message: unknown): void;
  terminate(): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'messageerror' | 'error', listener: (error: Error) => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
}

/**
 * Where a problem comes from: the address of the module that defines it, a URL or a text as `new Worker` takes it; or what
 * makes a worker of it, a new one each time.
 */
export type WorkerEntry = { readonly href: string } | string | (() => PageWorker | NodeWorker);
