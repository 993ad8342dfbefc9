import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const here = fileURLToPath(new URL('../..', import.meta.url));
/** Output folder; it is below the package, so that the package's dependencies are found from there. */
const folder = join(here, 'node_modules/.gradsim');

/**
 * Bundles a TypeScript module, with what it imports from packages of gradsim, into a JavaScript file that Node can run.
 */
export async function bundleForNode(entry: string): Promise<string> {
  const file = join(folder, `${basename(entry, '.ts')}-${process.pid}.mjs`);
  const bundle = await rolldown({
    input: entry,
    platform: 'node',
    resolve: { conditionNames: ['@gradsim/source', 'node', 'import'] },
    // What another package imports is not found from this one.
    external: (id, importer = here) =>
      id.startsWith('node:') || (importer.startsWith(here) && !/^(?:[./#]|@gradsim\/)/.test(id)),
  });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${file}.part`, output[0].code);
  renameSync(`${file}.part`, file);
  return file;
}
