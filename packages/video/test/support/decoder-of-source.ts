import { fileURLToPath } from 'node:url';
import { bundleForNode } from './bundle.ts';

const file =
  process.env.GRADSIM_TEST_DECODER ??
  (await bundleForNode(fileURLToPath(new URL('../../src/node/decoder/main.ts', import.meta.url))));

/** Path of the decoder process's program in tests: a bundle of the TypeScript source, which Node cannot run itself. */
export const decoderProgram = (): string => file;
