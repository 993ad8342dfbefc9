/** How long a run may keep the thread to itself, in milliseconds. */
const PATIENCE = 16;

/**
 * Gives a function to await between pieces of a long run. Every {@link PATIENCE} milliseconds it lets timers and events
 * have their turn, so that a key press or a timeout can abort the run; in between it costs nothing.
 */
export function pauses(): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < PATIENCE) return;
    await new Promise((resolve) => setTimeout(resolve));
    last = performance.now();
  };
}
