/**
 * True where a service worker keeps the page for use without a network. A file opened from a disk has none, and a local
 * server needs none.
 */
export const keepsItself: boolean =
  'serviceWorker' in navigator &&
  location.protocol !== 'file:' &&
  !['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);
