import { endProcess } from './as-process.ts';

/**
 * Interval within which two signals count as one, ms: npm forwards the signal that the terminal has already sent to all
 * its processes.
 */
const TOGETHER_MS = 500;
/** Interval at which a run under npm checks that npm still exists, ms. */
const LOOK_MS = 200;
/**
 * Time after SIGTERM or SIGHUP at which a watch with `isHasty` ends the process, ms: whoever sends them, a system that
 * shuts down say, soon sends SIGKILL.
 */
const GRACE_MS = 400;

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
 * once.
 * @param onEnd called before the process is ended.
 * @param isHasty true if SIGTERM and SIGHUP end the process {@link GRACE_MS} later, unless `dispose` was called:
 * what is lost can be computed again.
 */
export function watchInterrupt(onFirst: () => void, onEnd: () => void = () => {}, isHasty = false): InterruptWatch {
  const controller = new AbortController();
  let first = 0;
  let code = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (exitCode: number): never => {
    onEnd();
    return endProcess(exitCode);
  };
  const take = (name: Signal): void => {
    const now = performance.now();
    if (!controller.signal.aborted) {
      first = now;
      code = 128 + SIGNALS[name];
      if (isHasty && name !== 'SIGINT') timer = setTimeout(() => end(code), GRACE_MS);
      controller.abort();
      onFirst();
    } else if (now - first > TOGETHER_MS) end(128 + SIGNALS[name]);
  };
  const listeners = (Object.keys(SIGNALS) as Signal[]).map((name) => [name, () => take(name)] as const);
  for (const [name, listener] of listeners) process.on(name, listener);
  return {
    signal: controller.signal,
    code: () => code,
    dispose: () => {
      for (const [name, listener] of listeners) process.off(name, listener);
      clearTimeout(timer);
    },
  };
}

/**
 * Under `npm run`, sends this process SIGTERM once npm is gone: npm does not pass on every signal, and the command would
 * otherwise continue unattended.
 */
export function endWithNpm(): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_MS);
  timer.unref();
}
