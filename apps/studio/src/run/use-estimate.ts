import type { WorkerProgress } from '@gradsim/optim';
import { useRef, useState } from 'preact/hooks';
import type { ObservedFrames, StudioSettings } from '../work/problem-messages.ts';
import { type ErrorSentence, sentenceOf } from '../work/sentence.ts';
import { type Found, runEstimate } from './run.ts';

/** State of the estimation: running, with its progress, or ended. */
export interface Run {
  readonly isRunning: boolean;
  readonly progress?: WorkerProgress;
  readonly observed?: ObservedFrames;
  readonly found?: Found;
  readonly error?: ErrorSentence;
  /** Settings of the run, which fields may have left behind since. */
  readonly settings?: StudioSettings;
}

const STOPPED: ErrorSentence = {
  message: 'Stopped before the search had a first result.',
  hint: 'Estimate again when you are ready.',
};

/** Runs estimations one at a time. */
export function useEstimate() {
  const [run, setRun] = useState<Run>({ isRunning: false });
  const stop = useRef<AbortController>();

  async function start(settings: StudioSettings): Promise<void> {
    stop.current?.abort();
    const own = new AbortController();
    stop.current = own;
    const show = (next: Run): void => {
      if (stop.current === own) setRun(next);
    };
    show({ isRunning: true, settings });
    try {
      const found = await runEstimate(settings, own.signal, (progress, observed) =>
        show({ isRunning: true, progress, observed, settings }),
      );
      show({ isRunning: false, found, observed: found.observed, settings });
    } catch (error) {
      show({ isRunning: false, error: own.signal.aborted ? STOPPED : sentenceOf(error) });
    }
  }

  function clear(): void {
    stop.current?.abort();
    stop.current = undefined;
    setRun({ isRunning: false });
  }
  /** Shows a result that was found elsewhere. */
  function adopt(found: Found, settings: StudioSettings): void {
    clear();
    setRun({ isRunning: false, found, observed: found.observed, settings });
  }
  return { run, start, adopt, cancel: () => stop.current?.abort(), clear };
}
