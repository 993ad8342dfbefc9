import { endProcess } from './as-process.ts';

/**
 * Interval within which two signals count as one, ms: npm forwards the signal that the terminal has already sent to all
 * its processes.
 */
const TOGETHER_MS = 500;
/** Interval at which a run under npm checks that npm still exists, ms. */
const LOOK_MS = 500;

const SIGNALS = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;
type Signal = keyof typeof SIGNALS;

/** A watch on signals that end a process; `dispose` restores their default effect. */
export interface InterruptWatch {
  readonly signal: AbortSignal;
  /** Exit code after an interrupt: 128 plus the signal's number. */
  readonly code: () => number;
  readonly dispose: () => void;
}

/**
 * Watches signals: the first of SIGINT, SIGTERM and SIGHUP aborts the abort signal; the second ends the process at
 * once. Under `npm run`, the end of npm counts as SIGTERM: npm does not pass on every signal, and the run would
 * otherwise continue unattended.
 */
export function watchInterrupt(onFirst: () => void, onSecond: () => void = () => {}): InterruptWatch {
  const controller = new AbortController();
  let first = 0;
  let code = 0;
  const take = (name: Signal): void => {
    const now = performance.now();
    if (!controller.signal.aborted) {
      first = now;
      code = 128 + SIGNALS[name];
      controller.abort();
      onFirst();
    } else if (now - first > TOGETHER_MS) {
      onSecond();
      endProcess(128 + SIGNALS[name]);
    }
  };
  const listeners = (Object.keys(SIGNALS) as Signal[]).map((name) => [name, () => take(name)] as const);
  for (const [name, listener] of listeners) process.on(name, listener);
  const forget = process.env.npm_lifecycle_event === undefined ? () => {} : watchParent(() => take('SIGTERM'));
  return {
    signal: controller.signal,
    code: () => code,
    dispose: () => {
      for (const [name, listener] of listeners) process.off(name, listener);
      forget();
    },
  };
}

/** Calls a function once when the process that started this one is gone. */
function watchParent(onGone: () => void): () => void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
