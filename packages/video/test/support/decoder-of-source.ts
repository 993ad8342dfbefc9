import { fileURLToPath } from 'node:url';
import { bundleForNode } from './bundle.ts';

const file =
  process.env.GRADSIM_TEST_DECODER ??
  (await bundleForNode(fileURLToPath(new URL('../../src/node/decoder/main.ts', import.meta.url))));

/** The decoder's process in tests: of the source, which Node does not run by itself. */
export const decoderProgram = (): string => file;
