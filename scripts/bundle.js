// Makes one file of each entry point of the package in this folder, for Node: the files that its package.json names under
// the condition `node`, from those that it names as `default`. Node takes half a millisecond to find and load a module,
// and a program that uses six packages would load two hundred. Bundlers go on taking the modules as they are, of which
// they leave out what a page does not use.
import { readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const { name, exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const entries = Object.values(exports).filter((entry) => typeof entry === 'object' && entry.node);
if (entries.length === 0) throw new Error(`${name} names no file under the condition "node".`);

/**
 * A module with all that it imports at once, as opposed to `import()` when something is first needed.
 * @param {string} file
 * @param {Set<string>} known
 */
function withImports(file, known) {
  if (known.has(file)) return known;
  known.add(file);
  for (const [, to] of readFileSync(file, 'utf8').matchAll(/\bfrom '(\.[^']+)'/g))
    withImports(join(dirname(file), to), known);
  return known;
}

const folder = dirname(entries[0].node);

/** Files beside a module, such as that of a worker, which the bundle names by where they are: bundlers of servers look for them. */
const filesBeside = {
  name: 'files beside modules',
  /**
   * @param {string} code
   * @param {string} id
   */
  transform: (code, id) => {
    const from = (/** @type {string} */ _, /** @type {string} */ file) =>
      `new URL('${relative(folder, join(dirname(id), file)).replaceAll('\\', '/')}', import.meta.url)`;
    const moved = code.replace(/new URL\('(\.[^']+)', import\.meta\.url\)/g, from);
    return moved === code ? null : { code: moved, map: null };
  },
};
rmSync(folder, { recursive: true, force: true });
const bundle = await rolldown({
  input: Object.fromEntries(entries.map((entry) => [basename(entry.node, '.js'), entry.default])),
  // `#platform` is the package's own as well: as a file beside the bundle it would have classes of its own.
  external: (id) => !/^[./]|^#platform$/.test(id),
  platform: 'node',
  plugins: [filesBeside],
});
// What the first entry point shares with others is one file, though some of it is not for all of them.
const first = withImports(resolve(entries[0].default), new Set());
/** @type {import('rolldown').CodeSplittingGroup} */
const shared = { name: 'shared', test: (id) => first.has(id), minShareCount: 2 };
await bundle.write({
  dir: folder,
  format: 'esm',
  sourcemap: true,
  codeSplitting: { groups: [shared] },
  chunkFileNames: '[name].js',
});
await bundle.close();
