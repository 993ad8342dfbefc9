/** Ways to post to a thread, and to end it. */
export interface Port {
  post(message: unknown): void;
  end(): void;
}

interface Listeners {
  readonly onMessage: (message: unknown) => void;
  readonly onFailure: () => void;
}

type NodeModules = {
  getBuiltinModule?(name: 'node:worker_threads'): typeof import('node:worker_threads');
  getBuiltinModule?(name: 'node:os'): typeof import('node:os');
};
export const node = (globalThis as { process?: NodeModules }).process;

/** Module that a second thread runs: its address for Node, and what starts it in a page, by which bundlers find it. */
export interface ThreadModule {
  readonly address: () => URL;
  readonly startInPage: () => Worker;
}

/** Starts a second thread; undefined where there is one core, or no thread. */
export function startThread(
  { address, startInPage }: ThreadModule,
  { onMessage, onFailure }: Listeners,
): Port | undefined {
  const threads = node?.getBuiltinModule?.('node:worker_threads');
  const cores = node?.getBuiltinModule?.('node:os').availableParallelism() ?? globalThis.navigator?.hardwareConcurrency;
  if (!(cores > 1)) return undefined;
  try {
    if (threads) {
      const worker = new threads.Worker(address());
      worker.on('message', onMessage);
      worker.on('error', onFailure);
      worker.on('exit', onFailure);
      return { post: (message) => worker.postMessage(message), end: () => void worker.terminate() };
    }
    const worker = startInPage();
    worker.onmessage = ({ data }) => onMessage(data);
    worker.onerror = (event) => {
      // Reported here, so that it need not reach the page.
      event.preventDefault();
      onFailure();
    };
    return { post: (message) => worker.postMessage(message), end: () => worker.terminate() };
  } catch {
    return undefined;
  }
}
