import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** Path of the first Chromium on PATH; undefined if this machine has none. */
export function findChromium() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return candidates.find((file) => existsSync(file));
}

/** Tells programs that are started from here where Chromium is. A choice the user has made is kept. */
export function offerChromium() {
  const found = findChromium();
  if (found) process.env.GRADSIM_CHROMIUM ??= found;
}
