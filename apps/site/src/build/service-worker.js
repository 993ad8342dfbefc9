// Service worker of the site (not of the studio, which has its own). A page is asked of the network first, and shown as it was
// kept where there is none; files, whose names or folder change with their content, are kept by version. Where
// the visitor has asked for threads it adds the headers by which a browser isolates a page. The build fills in the version.
const VERSION = '';

// The types of a page, which this file is checked with, know no service worker.
const scope = /** @type {any} */ (globalThis);
const NAME = `gradsim-site-${VERSION}`;
/** A store of this name says that the visitor has asked for several threads (src/theme/offline.ts). */
const THREADS = 'gradsim-threads';

scope.addEventListener('install', (/** @type {any} */ event) => event.waitUntil(scope.skipWaiting()));

scope.addEventListener('activate', (/** @type {any} */ event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(
          names.filter((name) => name.startsWith('gradsim-site-') && name !== NAME).map((name) => caches.delete(name)),
        ),
      )
      .then(() => scope.clients.claim()),
  );
});

scope.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin || pathname.includes('/studio/')) return;
  event.respondWith(answer(request).then(isolated));
});

/** @param {Request} request */
async function answer(request) {
  const cache = await caches.open(NAME);
  const kept = await cache.match(request);
  // Files of the build's folder of assets have names of their content.
  if (kept && new URL(request.url).pathname.includes('/assets/')) return kept;
  try {
    const response = await fetch(request);
    if (response.ok && response.type === 'basic') await cache.put(request, response.clone());
    return response;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

/** @param {Response} response */
async function isolated(response) {
  if (response.status === 0 || !(await caches.has(THREADS))) return response;
  const headers = new Headers(response.headers);
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
  headers.set('Cross-Origin-Resource-Policy', 'same-origin');
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}
