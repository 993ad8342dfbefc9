// Packs packages as they would be published, with those of ours that they need, and prints the command that installs them:
// until they are published, this is how to get them. `npm run -s pack -- cli film rigid`, into out/packages; all by default.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { named, packInto } from './install-packed.js';
import { publishedPackages } from './packages.js';
import { root } from './root.js';
import { orExit, setUp } from './setup.js';

const all = publishedPackages().map(({ name }) => name);
const asked = process.argv.length > 2 ? process.argv.slice(2).map(named) : all;
const unknown = asked.find((name) => !all.includes(name));
if (unknown !== undefined) {
  console.error(`There is no package ${unknown}; there are ${all.join(', ')}.`);
  process.exit(1);
}
orExit(() => setUp());
const folder = join(root, 'out', 'packages');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const files = Object.values(packInto(folder, asked)).filter((place) => place.startsWith('file:'));
console.log(`npm install ${files.map((file) => join(folder, file.slice('file:'.length))).join(' ')}`);
