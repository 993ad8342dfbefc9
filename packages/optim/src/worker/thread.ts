import type { NodeWorker, PageWorker, PageWorkerError, WorkerEntry } from './entry.ts';
import { workerThreads } from './node-threads.ts';

/** Common interface of a page's workers and of Node's worker threads. */
export interface Thread {
  /** True for a worker of a page, which does not report when it ends by itself. */
  readonly isOfPage: boolean;
  post(message: unknown): void;
  end(): void;
}

interface Listeners {
  readonly onMessage: (message: unknown) => void;
  /** Called when the worker has ended by itself, with a description. */
  readonly onEnd: (how: string) => void;
  /** Called when the worker has crashed or could not start, with a description and, if known, the cause. */
  readonly onDeath: (what: string, cause?: unknown) => void;
}

/**
 * Starts a worker of the kind that the environment has.
 * @throws if the environment forbids it.
 */
export function startThread(entry: WorkerEntry, listeners: Listeners): Thread {
  const watch = watchPolicy();
  try {
    const worker = typeof entry === 'function' ? entry() : open(entry);
    return 'on' in worker ? nodeThread(worker, listeners) : pageThread(worker, listeners, watch);
  } catch (error) {
    watch.end();
    throw error;
  }
}

function nodeThread(worker: NodeWorker, { onMessage, onEnd, onDeath }: Listeners): Thread {
  worker.on('message', onMessage);
  worker.on('messageerror', (error) => onDeath('sent what cannot be read', error));
  worker.on('error', (error) => onDeath('died', error));
  worker.on('exit', (code) => onEnd(`, with the exit code ${code}`));
  return {
    isOfPage: false,
    post: (message) => worker.postMessage(message),
    end: () => void worker.terminate(),
  };
}

function pageThread(worker: PageWorker, { onMessage, onDeath }: Listeners, watch: PolicyWatch): Thread {
  worker.addEventListener('message', ({ data }) => onMessage(data));
  worker.addEventListener('messageerror', () => onDeath('sent what cannot be read'));
  worker.addEventListener('error', (event) => {
    // Reported here, so that it need not reach the page.
    event.preventDefault();
    if (event.message) onDeath('died', errorIn(event.message, event));
    else if (watch.directive)
      onDeath(`cannot start: the page's content security policy forbids it (${watch.directive})`);
    else onDeath(`could not be loaded${NOT_LOADED}`);
  });
  return {
    isOfPage: true,
    post: (message) => worker.postMessage(message),
    end: () => {
      watch.end();
      worker.terminate();
    },
  };
}

function errorIn(message: string, { filename, lineno }: PageWorkerError): Error {
  const error = new Error(message.replace(/^Uncaught (Error: )?/, ''));
  if (filename) error.stack = `${message}\n    at ${filename}:${lineno}`;
  return error;
}

const NOT_LOADED =
  ": it, or what it imports, is not where it is looked for. Import maps do not hold in workers. Where a page is bundled, hand over `() => new Worker(new URL('./problem.js', import.meta.url), { type: 'module' })`, by which bundlers find it. In a page that is cross-origin isolated, its file needs the two headers, too";

interface PolicyWatch {
  /** Content Security Policy directive that was violated last; undefined for none. */
  readonly directive: string | undefined;
  end(): void;
}

const POLICY = 'securitypolicyviolation';

/** Watches for violations of the Content Security Policy, which are reported to the page only. */
function watchPolicy(): PolicyWatch {
  let directive: string | undefined;
  const target = globalThis as Partial<Pick<Window, 'addEventListener' | 'removeEventListener'>>;
  const take = ({ effectiveDirective }: SecurityPolicyViolationEvent): void => {
    directive = effectiveDirective;
  };
  target.addEventListener?.(POLICY, take);
  return {
    get directive() {
      return directive;
    },
    end: () => target.removeEventListener?.(POLICY, take),
  };
}

function open(entry: { readonly href: string } | string): PageWorker | NodeWorker {
  const url = typeof entry === 'string' ? entry : entry.href;
  const node = workerThreads();
  if (!node) return new Worker(url, { type: 'module', name: 'gradsim estimate' });
  return new node.Worker(url.startsWith('file:') ? new URL(url) : url);
}
