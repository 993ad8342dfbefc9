// Makes one file of each entry point of the package in this folder, for Node: the files that its package.json names under
// the condition `node`, from those that it names as `default`. Node takes half a millisecond to find and load a module,
// and a program that uses six packages would load two hundred. Bundlers go on taking the modules as they are, of which
// they leave out what a page does not use.
import { readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { rolldown } from 'rolldown';

const { name, exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const entries = Object.values(exports).filter((entry) => typeof entry === 'object' && entry.node);
if (entries.length === 0) throw new Error(`${name} names no file under the condition "node".`);

const folder = dirname(entries[0].node);
rmSync(folder, { recursive: true, force: true });
const bundle = await rolldown({
  input: Object.fromEntries(entries.map((entry) => [basename(entry.node, '.js'), entry.default])),
  external: (id) => !id.startsWith('.') && !id.startsWith('/'),
  platform: 'node',
});
await bundle.write({ dir: join(folder), format: 'esm', chunkFileNames: 'shared.js', sourcemap: true });
await bundle.close();
