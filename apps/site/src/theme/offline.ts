// The service worker of the site: keeps what was visited for use without a network, and, if a visitor asks for it, isolates the
// pages from others, without which a browser gives a page one thread (GitHub Pages sends no headers of one's own).
import { withBase } from 'vitepress';

const ASKED = 'gradsim-site-threads';
/** A local server needs no network, and other programs may use its address after it. */
const isLocal = (): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);

/** Whether the visitor has asked for several threads, here or earlier. */
export const isIsolationAsked = (): boolean => localStorage.getItem(ASKED) === 'yes';

/** Registers the worker where it is of use. */
export async function keepSite(): Promise<void> {
  if (!('serviceWorker' in navigator) || (isLocal() && !isIsolationAsked())) return;
  await navigator.serviceWorker.register(withBase(`/service-worker.js${isIsolationAsked() ? '?isolate' : ''}`));
}

/** Turns several threads on or off: another worker, whose headers count from the next load on. */
export async function isolate(isAsked: boolean): Promise<void> {
  localStorage.setItem(ASKED, isAsked ? 'yes' : 'no');
  if (isAsked) {
    const isTaken = new Promise((resolve) => {
      navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true });
    });
    await keepSite();
    // The worker of this address, not one without the headers that was there before.
    if (!navigator.serviceWorker.controller?.scriptURL.endsWith('?isolate')) await isTaken;
  } else {
    const registration = await navigator.serviceWorker.getRegistration(withBase('/'));
    await registration?.unregister();
  }
  location.reload();
}
