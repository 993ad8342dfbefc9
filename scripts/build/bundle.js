// Makes one file of each entry point of the package in this folder, for Node: the files that its package.json names under
// the condition `node`, from those that it names as `default`. Node takes half a millisecond to find and load a module,
// and a program that uses six packages would load two hundred. Bundlers go on taking the modules as they are, of which
// they leave out what a page does not use. Before, it takes comments out of the modules: a quarter of what is installed, and
// people read them in the declarations and in the repository. Modules given as arguments are loaded when they are first
// needed: what they share with others is one file for each.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { parseSync } from 'rolldown/utils';

const manifest = readFileSync('package.json', 'utf8');
const { name, exports, imports } = JSON.parse(manifest);
const folder = 'dist/bundled';
const entries = Object.values({ ...exports, ...imports }).filter(({ node }) => node?.startsWith(`./${folder}/`));
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

/** What programs or licences ask to keep. */
const KEPT = /[@#]__|webpack|@vite|^!|licen[cs]e|copyright/i;

/**
 * Code without comments that have lines for themselves.
 * @param {string} file
 */
function withoutComments(file) {
  const code = readFileSync(file, 'utf8');
  let left = '';
  let at = 0;
  for (const { value, start, end } of parseSync(file, code).comments) {
    const line = code.lastIndexOf('\n', start) + 1;
    const next = code.indexOf('\n', end) + 1 || code.length;
    // The line by which a system finds the program that runs a file is a comment here.
    if (
      KEPT.test(value) ||
      code.startsWith('#!', start) ||
      line < at ||
      (code.slice(line, start) + code.slice(end, next)).trim() !== ''
    )
      continue;
    left += code.slice(at, line);
    at = next;
  }
  return left + code.slice(at);
}

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
const dist = dirname(folder);

/** Modules that hold parts of other packages (take-in.js): the bundle imports them, since they weigh too much to be there twice. */
const heldParts = {
  name: 'modules with parts of other packages',
  /**
   * @param {string} id
   * @param {string | undefined} importer
   */
  resolveId: (id, importer) => {
    if (importer === undefined || !id.startsWith('.')) return null;
    const file = join(dirname(importer), id);
    if (!existsSync(file) || !readFileSync(file, 'utf8').startsWith('/*! Holds parts')) return null;
    return { id: relative(folder, file).replaceAll('\\', '/'), external: true };
  },
};
for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  const [, module = undefined, ending = ''] = /^(.*?)(\.d\.ts|\.js|\.js\.map)$/.exec(file) ?? [];
  if (module === undefined) continue;
  // What was built from a source that has moved since stays in the folder, and in the cache of builds. The manifest names
  // what other programs have written.
  const isOld =
    ending === '.js.map' ||
    !(manifest.includes(`dist/${module}.js`) || ['.ts', '.tsx'].some((each) => existsSync(join('src', module + each))));
  if (isOld) rmSync(join(dist, file));
  else if (ending === '.js') writeFileSync(join(dist, file), withoutComments(join(dist, file)));
}
/** Names the code of the package by its digest, for what it keeps on disk. */
const codeDigest = {
  name: 'digest of the code',
  /** @param {string} code */
  transform: (code) =>
    code.includes('__CODE__') ? { code: code.replaceAll('__CODE__', `'${digest()}'`), map: null } : null,
};
function digest() {
  const hash = createHash('sha256');
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' }).sort())
    if (file.endsWith('.js')) hash.update(readFileSync(join(dist, file)));
  return hash.digest('hex');
}
const bundle = await rolldown({
  input: Object.fromEntries(entries.map((entry) => [basename(entry.node, '.js'), entry.default])),
  // `#platform` is the package's own as well: as a file beside the bundle it would have classes of its own.
  // What templates that hold `</script>` become takes a helper of the bundler's.
  external: (id) => !/^[./]|^#platform$|^@oxc-project\/runtime\//.test(id),
  platform: 'node',
  plugins: [filesBeside, heldParts, codeDigest],
});
// What the first entry point shares with others is one file, though some of it is not for all of them.
const groups = [entries[0].default, ...process.argv.slice(2)].map((file, k) => {
  const own = withImports(resolve(file), new Set());
  const name = k === 0 ? 'shared' : `${basename(file, '.js')}-shared`;
  return { name, test: (/** @type {string} */ id) => own.has(id), minShareCount: 2, priority: -k };
});
await bundle.write({ dir: folder, format: 'esm', codeSplitting: { groups }, chunkFileNames: '[name].js' });
await bundle.close();
