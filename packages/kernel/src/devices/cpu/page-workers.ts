import { defect } from '@gradsim/base';
import { pageSource } from './thread-source.ts';

/** Timeout in ms after which a worker that has not answered counts as refused. */
const WORKER_TIMEOUT = 10_000;
const POLICY_EVENT = 'securitypolicyviolation';

/** Function that creates a worker, and where the worker's code comes from, for messages. */
interface WorkerSource {
  readonly start: () => Worker;
  readonly from: string;
}

/**
 * Finds out how this page or worker can start workers, by trying: a policy may forbid those from a blob, those from
 * files, or all. The worker tried is terminated at once.
 */
export class PageWorkers {
  /** Resolves once it is known how workers start, or that they do not. */
  readonly ready: Promise<void>;
  /** Reason why there are no workers; null if there are, or while unknown. */
  refusal: string | null = null;
  isKnown = false;
  #start: (() => Worker) | null = null;

  /** @param url URL of the file that workers run. Without it, a blob is tried first, then this package's own file. */
  constructor(url: string | undefined) {
    this.ready = this.#find(url ? [{ start: () => new Worker(url), from: url }] : [blob(), file()]);
  }

  start(): Worker {
    if (!this.#start) throw defect('a worker of a page was started before it was known how');
    return this.#start();
  }

  async #find(places: readonly WorkerSource[]): Promise<void> {
    const refusals: Refusal[] = [];
    for (const place of places) {
      const refusal = await tryWorker(place);
      if (!refusal) {
        this.#start = place.start;
        break;
      }
      refusals.push(refusal);
    }
    if (!this.#start) this.refusal = refusalReason(refusals);
    this.isKnown = true;
  }
}

const workersByUrl = new Map<string | undefined, PageWorkers>();

/** Returns the one instance that all devices of a page share. */
export function pageWorkers(url: string | undefined): PageWorkers {
  const found = workersByUrl.get(url) ?? new PageWorkers(url);
  workersByUrl.set(url, found);
  return found;
}

/** Returns a source of workers from a blob: it needs no file and works with any bundler. */
function blob(): WorkerSource {
  const url = URL.createObjectURL(new Blob([pageSource()], { type: 'text/javascript' }));
  return { start: () => new Worker(url), from: 'a blob' };
}

/**
 * Returns a source of workers from a file; bundlers that know this form of URL copy the file to where the page finds
 * it.
 */
function file(): WorkerSource {
  return {
    start: () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }),
    from: 'the file of @gradsim/kernel/worker',
  };
}

interface Refusal {
  readonly from: string;
  /** Directive of the page's content security policy that forbade the workers, if known. */
  readonly directive: string | null;
}

/** Starts a worker on trial and terminates it; returns null if the worker answered, else the refusal. */
async function tryWorker({ start, from }: WorkerSource): Promise<Refusal | null> {
  let directive: string | null = null;
  const violated = (event: { effectiveDirective?: string }): void => {
    directive = event.effectiveDirective ?? 'worker-src';
  };
  const target = globalThis as unknown as Pick<Worker, 'addEventListener' | 'removeEventListener'>;
  target.addEventListener(POLICY_EVENT, violated as EventListener);
  const isThere = await answers(start);
  target.removeEventListener(POLICY_EVENT, violated as EventListener);
  return isThere ? null : { from, directive };
}

async function answers(start: () => Worker): Promise<boolean> {
  let worker: Worker;
  try {
    worker = start();
  } catch {
    return false;
  }
  const isThere = await new Promise<boolean>((resolve) => {
    worker.onmessage = () => resolve(true);
    worker.onerror = (event) => {
      event.preventDefault?.();
      resolve(false);
    };
    setTimeout(() => resolve(false), WORKER_TIMEOUT);
    worker.postMessage({ words: new Int32Array(new SharedArrayBuffer(128)), thread: 0 });
  });
  worker.terminate();
  return isThere;
}

function refusalReason(refusals: readonly Refusal[]): string {
  const forbidden = refusals.filter(({ directive }) => directive !== null);
  if (forbidden.length === refusals.length) return `the page forbids workers (${forbidden[0].directive})`;
  const missing = refusals.filter(({ directive }) => directive === null).map(({ from }) => from);
  const missed = `no worker starts from ${missing.join(' or ')}; see workerUrl`;
  return forbidden.length > 0
    ? `the page forbids workers from a blob (${forbidden[0].directive}), and ${missed}`
    : missed;
}
