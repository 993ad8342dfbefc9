// Builds the page into `dist`: static files for any host.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = fileURLToPath(new URL('.', import.meta.url));
const out = join(here, '../dist');

/** Folders of the packages of others that the page and its workers hold. @type {Set<string>} */
const held = new Set();

/** @type {() => import('vite').Plugin} */
const holding = () => ({
  name: 'packages of others',
  generateBundle() {
    for (const id of this.getModuleIds()) {
      const folder = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1];
      if (folder && !folder.includes('/@gradsim/')) held.add(folder);
    }
  },
});

await build({
  root: join(here, 'page'),
  base: './',
  configFile: false,
  logLevel: 'warn',
  plugins: [holding()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'es', plugins: () => [holding()] },
  build: {
    outDir: out,
    emptyOutDir: true,
    chunkSizeWarningLimit: 2000,
    modulePreload: { polyfill: false },
  },
});

const licences = [...held].sort().map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  return `# ${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), 'utf8').trim() : ''}\n`;
});
writeFileSync(join(out, 'licences.txt'), licences.join('\n'));

// The service worker keeps these files for use without a network; a change of any is a new version.
const files = readdirSync(out, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name !== 'offline.js')
  .map((entry) => relative(out, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
  .sort();
const digest = createHash('sha256');
for (const file of files) digest.update(file).update(readFileSync(join(out, file)));
const offline = join(out, 'offline.js');
const filled = readFileSync(offline, 'utf8')
  .replace(/^const VERSION = .*$/m, `const VERSION = '${digest.digest('hex').slice(0, 16)}';`)
  .replace(/^const FILES = .*$/m, () => `const FILES = ${JSON.stringify(files)};`);
writeFileSync(offline, filled);
