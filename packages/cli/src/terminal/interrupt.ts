/** npm passes on the signal that the terminal has already sent to everyone: two that come together are one. */
const TOGETHER_MS = 500;

/** A watch on SIGINT; `dispose` gives the signal its usual meaning back. */
export interface InterruptWatch {
  readonly signal: AbortSignal;
  readonly dispose: () => void;
}

/** The first SIGINT aborts the signal; the second ends the process with exit code 130. */
export function watchInterrupt(onFirst: () => void): InterruptWatch {
  const controller = new AbortController();
  let first = 0;
  const listener = (): void => {
    const now = performance.now();
    if (!controller.signal.aborted) {
      first = now;
      controller.abort();
      onFirst();
    } else if (now - first > TOGETHER_MS) {
      process.exit(INTERRUPTED);
    }
  };
  process.on('SIGINT', listener);
  return { signal: controller.signal, dispose: () => process.off('SIGINT', listener) };
}

/** Exit code after SIGINT: 128 and the signal's number. */
export const INTERRUPTED = 130;
