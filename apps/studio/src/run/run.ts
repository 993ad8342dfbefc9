import type { Estimate, PageWorker, WorkerProgress } from '@gradsim/optim';
import { estimateInWorker } from '@gradsim/optim';
import { OUTLINE } from '../kinds.ts';
import type { ObservedFrames, StudioReport, StudioSettings } from '../work/problem-messages.ts';

/** Result of an estimation. */
export interface Found {
  readonly estimate: Estimate;
  readonly observed: ObservedFrames;
  /** The experiment's own sentences on the result. */
  readonly notes: readonly string[];
}

/** Time limit for the worker's notes on an estimate, ms; after it, the list of notes stays empty. */
const END_TIMEOUT = 2000;

/**
 * Estimates in a worker. After an abort the result is the best so far; its worker ends at once.
 * @throws as {@link estimateInWorker}.
 */
export async function runEstimate(
  settings: StudioSettings,
  signal: AbortSignal,
  onProgress: (progress: WorkerProgress, observed: ObservedFrames | undefined) => void,
): Promise<Found> {
  const worker = new Worker(new URL('../work/worker.ts', import.meta.url), { type: 'module', name: 'problem' });
  let observed: ObservedFrames | undefined;
  let takeNotes: (notes: readonly string[]) => void = () => {};
  worker.addEventListener('message', ({ data }: MessageEvent<StudioReport>) => {
    if (data.studio === 'observed') observed = data.observed;
    else if (data.studio === 'notes') takeNotes(data.notes);
  });
  try {
    // Its end is here, once it has given its notes.
    const entry: PageWorker = {
      postMessage: (message) => worker.postMessage(message),
      terminate: () => {},
      addEventListener: worker.addEventListener.bind(worker) as PageWorker['addEventListener'],
    };
    const estimate = await estimateInWorker(() => entry, {
      device: 'cpu',
      // More threads save no time with one body, and a worker of a worker may never start in Firefox while a WebDriver is
      // connected to it.
      threads: 1,
      settings,
      signal,
      onProgress: (progress) => onProgress(progress, observed),
      frames: [OUTLINE],
    });
    if (estimate.stopped === 'interrupted') return { estimate, observed: observed!, notes: [] };
    const notes = new Promise<readonly string[]>((resolve) => {
      takeNotes = resolve;
      setTimeout(() => resolve([]), END_TIMEOUT);
    });
    worker.postMessage({ studio: 'notes of', estimate });
    return { estimate, observed: observed!, notes: await notes };
  } finally {
    worker.terminate();
  }
}
