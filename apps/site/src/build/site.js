// Builds the site into out/site: `npm run site`, or with `-- --base /gradsim/` for a host that serves it below a path. Pages by
// VitePress from the repository's Markdown, the library and workers of `dist/lib`, the studio, and a service worker. `--only
// WORDS` builds only pages whose path has one of these words, for a quick look; links to others then lead nowhere.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { root, stateFolder } from '../../../../scripts/root.js';

const here = fileURLToPath(new URL('../..', import.meta.url));

/** Size of the whole site, bytes, that it must stay below. */
const LARGEST = 25e6;

const { values } = parseArgs({
  options: { base: { type: 'string', default: '/' }, out: { type: 'string' }, only: { type: 'string' } },
});
if (!/^\/([\w.-]+\/)*$/.test(values.base)) {
  console.error(`--base is a path that begins and ends with a slash, as /gradsim/, not "${values.base}".`);
  process.exit(1);
}
const out = values.out ?? join(root, 'out/site');
process.env.SITE_BASE = values.base;
process.env.SITE_OUT = out;
if (values.only) process.env.SITE_ONLY = values.only;

const { build } = await import('vitepress');
rmSync(out, { recursive: true, force: true });
mkdirSync(stateFolder, { recursive: true });
const lock = join(stateFolder, 'site.lock');
while (!takeLock()) await setTimeout(500);
try {
  await build(here);
} finally {
  rmSync(lock);
}
cpSync(join(here, 'dist/lib'), join(out, 'lib'), { recursive: true });
cpSync(join(root, 'apps/studio/dist'), join(out, 'studio'), { recursive: true });

// Moving pictures of demos, and the program that has made them, which no page needs.
const { thumbnailOf } = await import(pathToFileURL(join(here, 'dist/lib/thumbnail.js')).href);
const library = pathToFileURL(join(here, 'dist/lib/')).href;
mkdirSync(join(out, 'thumbnails'));
for (const file of readdirSync(join(here, 'src/demos'))) {
  const png = await thumbnailOf(readFileSync(join(here, 'src/demos', file), 'utf8'), library);
  writeFileSync(join(out, 'thumbnails', file.replace(/\.js$/, '.png')), png);
}
rmSync(join(out, 'lib/thumbnail.js'));

const files = readdirSync(out, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .sort();
const digest = createHash('sha256');
for (const file of files) digest.update(readFileSync(file));
const worker = readFileSync(join(here, 'src/build/service-worker.js'), 'utf8');
const version = digest.digest('hex').slice(0, 16);
writeFileSync(join(out, 'service-worker.js'), worker.replace(/^const VERSION = .*$/m, `const VERSION = '${version}';`));
// GitHub Pages leaves out files that begin with an underscore, unless this file is there.
writeFileSync(join(out, '.nojekyll'), '');

const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
console.log(`${files.length} files, ${(bytes / 1e6).toFixed(1)} MB, in ${out}, for ${values.base}`);
if (bytes > LARGEST) {
  console.error(`The site is larger than ${LARGEST / 1e6} MB.`);
  process.exit(1);
}

/** Takes the lock of the build, whose temporary folder VitePress does not let choose; false while another process has it. */
function takeLock() {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
  }
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0);
  } catch {
    // Its process is gone.
    rmSync(lock, { force: true });
  }
  return false;
}
