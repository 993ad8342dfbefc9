// Puts what built modules of the package in this folder take from other packages into them: node ../../scripts/build/take-in.js
// FILES. For packages that could not be bundled for a page as a whole, of which a part can. Their licences come along.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** @param {string} moduleId @returns {string} the folder of the package that a module belongs to */
const folderOf = (moduleId) =>
  /** @type {RegExpExecArray} */ (/^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(moduleId))[0];

/** @param {string} folder @returns {string} */
function licenceOf(folder) {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  for (const file of ['LICENSE', 'LICENSE.md'])
    try {
      return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}`;
    } catch {}
  throw new Error(`${name} has no file LICENSE to take in.`);
}

for (const file of process.argv.slice(2)) {
  const bundle = await rolldown({
    input: file,
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'] },
  });
  // Without comments: examples in them that load modules of Node look as if they did.
  const { output } = await bundle.generate({ format: 'esm', minify: { mangle: false } });
  await bundle.close();
  const [{ code, imports, dynamicImports, moduleIds }] = output;
  const outside = [...imports, ...dynamicImports];
  if (output.length > 1 || outside.length > 0)
    throw new Error(`${file} still takes ${outside} from elsewhere, so a page could not load it.`);
  const folders = new Set(moduleIds.filter((id) => id.includes('node_modules')).map(folderOf));
  const licences = [...folders].map(licenceOf).join('\n\n');
  writeFileSync(file, `/*! Holds parts of these packages.\n\n${licences}\n*/\n${code}`);
  // They speak of the module as it was.
  for (const other of [`${file}.map`, file.replace(/\.js$/, '.d.ts')]) rmSync(other, { force: true });
}
