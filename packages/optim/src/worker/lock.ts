/**
 * A page is not told when a worker ends by itself (`self.close()`, a crash). But a lock of the page's origin that the
 * worker holds falls to who waits for it then.
 */
interface Locks {
  request(name: string, act: () => unknown): Promise<unknown>;
  request(name: string, options: { readonly signal: AbortSignal }, act: () => unknown): Promise<unknown>;
}

/** Nothing in Node, in pages that are not served securely, and in frames without an origin. */
const locksHere = (): Locks | undefined => (globalThis as { navigator?: { locks?: Locks } }).navigator?.locks;

/** The name of a lock that nobody else has; undefined where there are none. */
export const newLock = (): string | undefined =>
  locksHere() && `gradsim estimate ${Math.random().toString(36).slice(2)}`;

/** Holds a lock for as long as this worker lives; `onHeld` is called once it does. */
export function holdLock(name: string, onHeld: () => void): void {
  const forever = (): Promise<never> => {
    onHeld();
    return new Promise(() => {});
  };
  locksHere()
    ?.request(name, forever)
    .catch(() => {});
}

/** Calls `onFree` when whoever holds the lock has gone. Gives what ends the waiting. */
export function awaitLock(name: string, onFree: () => void): () => void {
  const waiting = new AbortController();
  locksHere()
    ?.request(name, { signal: waiting.signal }, onFree)
    .catch(() => {});
  return () => waiting.abort();
}
