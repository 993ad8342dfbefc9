import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const here = fileURLToPath(new URL('../..', import.meta.url));
/** Below the package, from where its dependencies are found. */
const folder = join(here, 'node_modules/.gradsim');
const file = join(folder, `decoder-${process.pid}.mjs`);

const bundle = await rolldown({
  input: join(here, 'src/node/decoder/main.ts'),
  platform: 'node',
  external: (id) => !id.startsWith('.') && !id.startsWith('/'),
});
const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
await bundle.close();
mkdirSync(folder, { recursive: true });
writeFileSync(`${file}.part`, output[0].code);
renameSync(`${file}.part`, file);

/** The decoder's process in tests: of the source, which Node does not run by itself. */
export const decoderProgram = (): string => file;
