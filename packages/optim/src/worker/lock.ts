/**
 * Part of the Web Locks API: a page is not notified when a worker ends by itself (`self.close()`, a crash), but a lock
 * that the worker holds is then passed to the next waiter.
 */
interface Locks {
  request(name: string, act: () => unknown): Promise<unknown>;
  request(name: string, options: { readonly signal: AbortSignal }, act: () => unknown): Promise<unknown>;
}

/** Undefined in Node, in pages without a secure context, and in frames without an origin. */
const locksHere = (): Locks | undefined => (globalThis as { navigator?: { locks?: Locks } }).navigator?.locks;

/** A unique lock name; undefined without locks. */
export const newLock = (): string | undefined =>
  locksHere() && `gradsim estimate ${Math.random().toString(36).slice(2)}`;

/** Holds a lock until this worker ends; calls `onHeld` once it is acquired. */
export function holdLock(name: string, onHeld: () => void): void {
  const forever = (): Promise<never> => {
    onHeld();
    return new Promise(() => {});
  };
  locksHere()
    ?.request(name, forever)
    .catch(() => {});
}

/** Calls `onFree` when the holder of the lock has ended. Returns a function that stops waiting. */
export function awaitLock(name: string, onFree: () => void): () => void {
  const waiting = new AbortController();
  locksHere()
    ?.request(name, { signal: waiting.signal }, onFree)
    .catch(() => {});
  return () => waiting.abort();
}
