/**
 * The part of the Web Locks API that is used here. A page is not notified when a worker ends by itself (`self.close()`,
 * a crash), but then a lock that the worker held is granted to the page, which waits for it.
 */
interface Locks {
  request(name: string, act: () => unknown): Promise<unknown>;
  request(name: string, options: { readonly signal: AbortSignal }, act: () => unknown): Promise<unknown>;
}

/** The Web Locks API; undefined in Node, in pages without a secure context, and in frames without an origin. */
const locksHere = (): Locks | undefined => (globalThis as { navigator?: { locks?: Locks } }).navigator?.locks;

/** Returns a new unique lock name; undefined if there is no Web Locks API. */
export const newLock = (): string | undefined =>
  locksHere() && `gradsim estimate ${Math.random().toString(36).slice(2)}`;

/** Requests a lock, which this worker holds until it ends; resolves to whether it does. */
export const holdLock = (name: string): Promise<boolean> =>
  new Promise((resolve) => {
    const forever = (): Promise<never> => {
      resolve(true);
      return new Promise(() => {});
    };
    const request = locksHere()?.request(name, forever) ?? Promise.reject();
    request.catch(() => resolve(false));
  });

/** Calls `onFree` when the holder of the lock has ended; returns a function that cancels the waiting. */
export function awaitLock(name: string, onFree: () => void): () => void {
  const waiting = new AbortController();
  locksHere()
    ?.request(name, { signal: waiting.signal }, onFree)
    .catch(() => {});
  return () => waiting.abort();
}
