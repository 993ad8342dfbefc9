// The service worker of the site: keeps what was visited for use without a network, and, if a visitor asks for it, isolates the
// pages from others, without which a browser gives a page one thread (GitHub Pages sends no headers of one's own).
import { withBase } from 'vitepress';

/** A store of this name, which the worker sees too, says that the visitor has asked for threads. */
const THREADS = 'gradsim-threads';
/** A local server needs no network, and other programs may use its address after it. */
const isLocal = (): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);

/** True if this browser has what isolation takes: pages that are served by https. */
export const mayIsolate = (): boolean => 'serviceWorker' in navigator && 'caches' in globalThis;

/** Registers the worker where it is of use. */
export async function registerServiceWorker(): Promise<void> {
  if (!mayIsolate() || (isLocal() && !(await caches.has(THREADS)))) return;
  await navigator.serviceWorker.register(withBase('/service-worker.js'));
}

/** Turns several threads on or off, from the next load on, which it begins. */
export async function isolate(isAsked: boolean): Promise<void> {
  if (isAsked) await caches.open(THREADS);
  else await caches.delete(THREADS);
  await registerServiceWorker();
  if (isAsked) await navigator.serviceWorker.ready;
  location.reload();
}
