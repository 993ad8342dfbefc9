import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const MAIN = fileURLToPath(new URL('../../src/trials/main.ts', import.meta.url));
/** Below the package, from where its dependencies are found. */
const FOLDER = fileURLToPath(new URL(`../../node_modules/.gradsim/trials-${process.pid}`, import.meta.url));

/** Packages stay imports, which no trial of these tests needs: they may not be built. */
const bundle = await rolldown({ input: MAIN, platform: 'node', external: (id) => !/^[./]/.test(id) });
await bundle.write({ dir: FOLDER, format: 'esm', entryFileNames: 'main.mjs', chunkFileNames: '[name]-[hash].mjs' });
await bundle.close();

/** Program of trials in tests: from source, which Node does not run by itself. */
export const trialProgram = (): readonly string[] => [join(FOLDER, 'main.mjs')];
