// Service worker of a page that a host serves: keeps the page's files, so that it works without a network after the first
// visit. Where there is a network, what it says is what is shown: as soon as the address has another version of the page, or
// something else, this worker and all that it kept are gone. The build fills in the first two constants.
const VERSION = '';
const FILES = /** @type {string[]} */ ([]);

// The types of a page, which this file is checked with, know no service worker.
const scope = /** @type {any} */ (globalThis);
const NAME = `gradsim-studio-${VERSION}`;
/** A local server needs no network, and other programs may use its address after it. */
const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);

scope.addEventListener('install', (/** @type {any} */ event) => {
  const addresses = ['./', ...FILES.filter((file) => file !== 'index.html')];
  const kept = isLocal
    ? Promise.resolve()
    : caches
        .open(NAME)
        .then((cache) => cache.addAll(addresses.map((each) => new Request(each, { cache: 'no-cache' }))));
  event.waitUntil(kept.then(() => scope.skipWaiting()));
});

scope.addEventListener('activate', (/** @type {any} */ event) => {
  event.waitUntil(isLocal ? leave() : forget(NAME).then(() => scope.clients.claim()));
});

scope.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (isLocal || request.method !== 'GET' || url.origin !== location.origin || url.pathname.endsWith('/film')) return;
  event.respondWith(
    request.mode === 'navigate' ? navigated(event) : keptOf(request).then((kept) => kept ?? fetch(request)),
  );
});

/** @type {(request: Request | string) => Promise<Response | undefined>} */
const keptOf = (request) => caches.match(request, { ignoreSearch: true, cacheName: NAME });

/** Page from the network; the kept one without a network. @type {(event: any) => Promise<Response>} */
async function navigated(event) {
  const { request } = event;
  const kept = await keptOf(request);
  /** @type {Response} */
  let current;
  try {
    current = await fetch(request);
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
  if (!kept || (await current.clone().text()) === (await kept.text())) return current;
  await caches.delete(NAME);
  // Another version of the studio brings its own worker; another program has none at that address.
  event.waitUntil(scope.registration.update().catch(leave));
  return current;
}

/** Deletes the caches of the studio, but for one. Other programs of the address may have some of their own. */
async function forget(/** @type {string | undefined} */ but) {
  // Those of earlier versions were named by sixteen digits alone.
  const names = (await caches.keys()).filter((name) => /^(gradsim-studio-)?[0-9a-f]{16}$/.test(name) && name !== but);
  await Promise.all(names.map((name) => caches.delete(name)));
}

/** Ends this worker. */
async function leave() {
  await forget(undefined);
  await scope.registration.unregister();
}
