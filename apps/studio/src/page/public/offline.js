// Service worker: keeps the page's files, so that it works without a network after the first visit. The build fills in the
// first two constants.
const VERSION = '';
const FILES = /** @type {string[]} */ ([]);

// The types of a page, which this file is checked with, know no service worker.
const scope = /** @type {any} */ (globalThis);

scope.addEventListener('install', (/** @type {any} */ event) => {
  const addresses = ['./', ...FILES.filter((file) => file !== 'index.html')];
  event.waitUntil(
    caches
      .open(VERSION)
      .then((cache) => cache.addAll(addresses))
      .then(() => scope.skipWaiting()),
  );
});

scope.addEventListener('activate', (/** @type {any} */ event) => {
  const old = caches
    .keys()
    .then((names) => Promise.all(names.filter((name) => name !== VERSION).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => scope.clients.claim()));
});

scope.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin || url.pathname.endsWith('/film')) return;
  event.respondWith(
    caches.match(request, { ignoreSearch: true, cacheName: VERSION }).then((kept) => kept ?? fetch(request)),
  );
});
