// Builds `dist/lib`: the modules of gradsim for a page, as files that a program imports by their address. Demos, whose source a
// visitor may change, import these, and so do the workers of the site.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = fileURLToPath(new URL('..', import.meta.url));

const physics = readdirSync(new URL('../../../../packages/gradsim/src/parts/physics', import.meta.url));

/** Entries of the package gradsim that the site serves: `gradsim/core` is `lib/core.js`. */
export const MODULES = [
  ...['control', 'core', 'kernel', 'mesh', 'optim', 'render'],
  ...physics.map((file) => file.replace(/\.ts$/, '')),
];

const workers = readdirSync(join(here, 'workers')).filter((file) => /\.[jt]s$/.test(file));

await build({
  root: here,
  base: './',
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  build: {
    outDir: join(here, '../dist/lib'),
    emptyOutDir: true,
    target: 'es2022',
    chunkSizeWarningLimit: 2000,
    // Its helper wants a document, which workers lack.
    modulePreload: false,
    rolldownOptions: {
      preserveEntrySignatures: 'strict',
      input: Object.fromEntries([
        ...MODULES.map((name) => [name, `gradsim/${name}`]),
        ...workers.map((file) => [file.replace(/\.[jt]s$/, ''), join(here, 'workers', file)]),
      ]),
      output: { entryFileNames: '[name].js', chunkFileNames: 'parts/[name]-[hash].js' },
    },
  },
});
