/** Longest time for which a run may block the thread, ms. */
const MAX_BLOCKING_MS = 16;

/**
 * Waits until pending timers, messages and signals of the thread are handled.
 *
 * ```ts
 * for (const sample of samples) {
 *   simulation.set(Body.mass, [sample]);
 *   simulation.forward();
 *   await pause(); // a key press can end it
 * }
 * ```
 */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    // Timers wait, for a second in a tab that is hidden; messages do not.
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    }
  });
}

/**
 * Returns a function to await between pieces of a long run: it makes a {@link pause} every {@link MAX_BLOCKING_MS}
 * milliseconds.
 */
export function pauses(): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < MAX_BLOCKING_MS) return;
    await pause();
    last = performance.now();
  };
}
