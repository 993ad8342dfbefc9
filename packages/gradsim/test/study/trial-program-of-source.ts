import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const MAIN = fileURLToPath(new URL('../../src/trials/main.ts', import.meta.url));
/** Folder of the bundle, below the package, so that dependencies are found from there. */
const FOLDER = fileURLToPath(new URL(`../../node_modules/.gradsim/trials-${process.pid}`, import.meta.url));

/**
 * Bundle of the program that runs trials. Packages stay imports: trials of these tests need none, and they may not be
 * built.
 */
const bundle = await rolldown({ input: MAIN, platform: 'node', external: (id) => !/^[./]/.test(id) });
await bundle.write({ dir: FOLDER, format: 'esm', entryFileNames: 'main.mjs', chunkFileNames: '[name]-[hash].mjs' });
await bundle.close();

/**
 * Arguments with which Node runs the trial program in tests: bundled from source, since Node does not run the source
 * itself.
 */
export const trialProgram = (): readonly string[] => [join(FOLDER, 'main.mjs')];
